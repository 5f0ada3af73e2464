#pragma once
// What subscribers are told of a conversation, and how they ask for it. Events are plain values;
// subscriptions are used on the I/O thread, and throw sessions::StoreError when what they must read cannot be
// read.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include <boost/asio/awaitable.hpp>

#include "orchestration/sessions/conversation.h"
#include "orchestration/tools/tool.h"

namespace parley::orchestration::turn {

struct ConversationSummary {
  sessions::Conversation conversation;
  bool answering = false;
};

// A message without its token ids and its calls' output, as subscribers see it.
using MessageView = sessions::Message;

// A call as subscribers see it.
struct CallView {
  sessions::ToolCall call;       // without `output` and the bytes of images
  tools::ToolProgress progress;  // while it runs
};

// Where a client's copy of a conversation stands.
struct ClientPosition {
  std::uint64_t sequence = 0;  // number of the last event it has seen
  std::string instance;        // of the server's run that numbered it
  std::string message;         // the answer it holds in part; empty: none
  std::int64_t epoch = 0;
  std::size_t offset = 0;  // bytes of that answer it has
};

// Events of one conversation. All but TextDelta, ArgumentsDelta and CallPreparing are numbered, without gaps,
// from 1 in each run of the server.
struct Snapshot {  // replaces everything the client has of the conversation
  ConversationSummary summary;
  std::vector<MessageView> messages;  // the active path, its newest messages, oldest first
  bool more = false;                  // older messages exist
  std::uint64_t sequence = 0;         // number of the last event it contains
};
struct MessageAdded {
  std::uint64_t sequence = 0;
  MessageView
      message;  // becomes the active leaf under message.parent; what hung there before is another branch
};
struct MessageChanged {  // status, error, usage, timings: an answer ended or is being continued
  std::uint64_t sequence = 0;
  MessageView message;         // text left empty: deltas carry it
  std::size_t text_bytes = 0;  // length of its text at this moment
};
struct ConversationChanged {  // title, settings, deleted
  std::uint64_t sequence = 0;
  ConversationSummary summary;
};
struct CallChanged {  // a call began, its arguments are complete, it waits, runs, goes on, or has ended
  std::uint64_t sequence = 0;
  std::string message;
  int index = 0;  // of the call in the message
  CallView call;  // all of it; takes the place of what the client had
};
// Not numbered: the arguments of the call that is being written. What the client has from `offset` on goes.
struct ArgumentsDelta {
  std::string message;
  std::int64_t epoch = 0;
  int index = 0;
  std::size_t offset = 0;  // byte offset of `text` in the call's arguments
  std::string text;
};
struct TextDelta {
  std::string message;
  std::int64_t epoch = 0;
  std::size_t offset = 0;  // byte offset of `text` in the message's UTF-8 text
  std::string text;
};
// Not numbered: what the model writes is held back, since it may become a call. Whatever else comes of the
// message ends that.
struct CallPreparing {
  std::string message;
  std::int64_t epoch = 0;
};
using ConversationEvent = std::variant<Snapshot, MessageAdded, MessageChanged, CallChanged,
                                       ConversationChanged, ArgumentsDelta, TextDelta, CallPreparing>;

// One client's view of one conversation. A slow reader gets fewer, longer deltas. Dropping it unsubscribes.
class Subscription {
 public:
  virtual ~Subscription() = default;
  // Waits until there is something to tell; in order, deltas up to an event before that event.
  // Cancellable; ends with an empty vector when the hub shuts down.
  virtual boost::asio::awaitable<std::vector<ConversationEvent>> next() = 0;
};

// Changes of the conversation list, for sidebars; merged by conversation when read slowly.
class ListSubscription {
 public:
  virtual ~ListSubscription() = default;
  virtual boost::asio::awaitable<std::vector<ConversationSummary>> next() = 0;
};

}  // namespace parley::orchestration::turn
