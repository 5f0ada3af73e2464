#pragma once
// Conversations that are alive: runs their turns, tells subscribers what happens. A turn belongs to its
// conversation, never to a socket: subscribers come and go, the turn runs on.
//
// Lives on the I/O thread; nothing here blocks, the store is reached through its own thread. Commands carry a
// client UUID and are applied once: a repeated one gets the same answer. What the user did wrong is a
// CommandError value; a broken store throws sessions::StoreError out of the command's co_await and leaves the
// hub usable.

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/thread_pool.hpp>

#include "orchestration/sessions/conversation.h"
#include "orchestration/sessions/session_store.h"
#include "orchestration/turn/chat_model.h"

namespace parley::orchestration::turn {

struct CommandError {
  enum class Code : std::uint8_t {
    not_found,    // conversation or message
    busy,         // the conversation is answering
    invalid,      // a field is out of range; the message names it
    too_long,     // text above the limit
    conflict,     // the id was used for something else
    unavailable,  // shutting down; to continue_answer: why the model does not go on (loading, queue full, …)
  };
  Code code = Code::invalid;
  std::string message;  // what happened and what to do
};

template <typename T>
using CommandResult = std::variant<T, CommandError>;
struct Done {};

struct HubLimits {
  std::size_t max_message_bytes = 1u << 20;
  std::size_t max_title_bytes = 400;
  std::size_t max_system_prompt_bytes = 64u << 10;
};

struct ConversationSummary {
  sessions::Conversation conversation;
  bool answering = false;
};

// A message without its token ids, as subscribers see it.
using MessageView = sessions::Message;

// Where a client's copy of a conversation stands.
struct ClientPosition {
  std::uint64_t sequence = 0;  // number of the last event it has seen
  std::string instance;        // of the server's run that numbered it
  std::string message;         // the answer it holds in part; empty: none
  std::int64_t epoch = 0;
  std::size_t offset = 0;  // bytes of that answer it has
};

// Events of one conversation. All but TextDelta are numbered, without gaps, from 1 in each run of the server.
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
struct TextDelta {
  std::string message;
  std::int64_t epoch = 0;
  std::size_t offset = 0;  // byte offset of `text` in the message's UTF-8 text
  std::string text;
};
using ConversationEvent =
    std::variant<Snapshot, MessageAdded, MessageChanged, ConversationChanged, TextDelta>;

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

struct SendCommand {
  std::string id;  // client UUID; becomes the user message's id
  std::string conversation;
  std::string text;
  std::optional<std::string> parent;  // absent: the active leaf; empty: a new root
};

struct SettingsCommand {  // absent fields stay as they are
  std::string conversation;
  std::optional<std::string> system_prompt;
  std::optional<std::optional<double>> temperature;  // inner absent: back to the default
  std::optional<std::optional<int>> max_tokens;
};

struct HubOptions {
  HubLimits limits;
  GenerationOptions defaults;
  std::chrono::milliseconds persist_interval{500};  // how often a growing answer is saved
  std::size_t snapshot_messages = 100;
  std::size_t event_history = 256;              // events kept for clients that come back
  std::function<void(const std::string&)> log;  // lines about failures that no command or answer can tell
};

class ConversationHub {
 public:
  virtual ~ConversationHub() = default;

  // Identifies this run of the server; event numbers are only comparable within it.
  virtual const std::string& instance() const = 0;

  virtual boost::asio::awaitable<sessions::ConversationPage> list(
      std::optional<std::pair<sessions::UnixMillis, std::string>> before, std::size_t limit) = 0;
  virtual bool answering(const std::string& conversation) const = 0;

  virtual boost::asio::awaitable<CommandResult<ConversationSummary>> create(std::string id,
                                                                            std::string title) = 0;
  virtual boost::asio::awaitable<CommandResult<Done>> rename(std::string conversation, std::string title) = 0;
  virtual boost::asio::awaitable<CommandResult<Done>> set_deleted(std::string conversation, bool deleted) = 0;
  virtual boost::asio::awaitable<CommandResult<Done>> change_settings(SettingsCommand command) = 0;

  // Durable before it returns; the answer is then generated in the background. Returns the answer's id.
  virtual boost::asio::awaitable<CommandResult<std::string>> send(SendCommand command) = 0;
  // A new answer beside `message` (an answer). `command_id` is the client UUID. Returns the new answer's id.
  virtual boost::asio::awaitable<CommandResult<std::string>> regenerate(std::string command_id,
                                                                        std::string conversation,
                                                                        std::string message) = 0;
  // Goes on with a stopped, interrupted or cut answer, or with what a failed one has, that is the active
  // leaf. Where it cannot begin, the answer stays as it was. A new answer (send, regenerate) that cannot
  // begin is there, and failed.
  virtual boost::asio::awaitable<CommandResult<Done>> continue_answer(std::string conversation,
                                                                      std::string message) = 0;
  virtual boost::asio::awaitable<CommandResult<Done>> stop(std::string conversation) = 0;

  virtual boost::asio::awaitable<CommandResult<std::unique_ptr<Subscription>>> subscribe(
      std::string conversation, std::optional<ClientPosition> have) = 0;
  virtual boost::asio::awaitable<CommandResult<sessions::MessagePage>> older(std::string conversation,
                                                                             std::string before_message,
                                                                             std::size_t limit) = 0;
  virtual std::unique_ptr<ListSubscription> subscribe_list() = 0;

  // No new turns; running ones get `drain` to end, then are stopped and saved. Ends all subscriptions. May be
  // called again while it runs: the longest time that was given counts for all calls, and each returns at the
  // end.
  virtual boost::asio::awaitable<void> shut_down(std::chrono::milliseconds drain) = 0;
};

// `store_thread` is a pool of one thread, the only one that touches `store`. All arguments outlive the hub.
std::unique_ptr<ConversationHub> make_conversation_hub(sessions::SessionStore& store,
                                                       boost::asio::thread_pool& store_thread,
                                                       ChatModel& model,
                                                       boost::asio::any_io_executor executor,
                                                       HubOptions options);

}  // namespace parley::orchestration::turn
