#pragma once
// What happened in one conversation, for readers that come, go and lag: numbered events of the recent past,
// and the text of its answers. Readers are cursors: numbers and offsets, so a slow one costs nothing, and
// what it missed of an answer comes in one piece. Memory is bounded; a reader further behind needs a
// snapshot. Plain data structure, one thread, never fails. Invariants:
//   1. kept events are numbered base + 1 .. last_sequence() without gaps;
//   2. the text of every answer that a kept event ended, and of the one that is growing, is kept;
//   3. a text only grows, so (message, epoch, offset) always means the same bytes;
//   4. arguments only grow too while they are being written, and only the growing answer has some that are.

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "orchestration/turn/conversation_events.h"

namespace parley::orchestration::turn {

// What a reader has seen.
struct Cursor {
  std::uint64_t sequence = 0;
  std::string message;  // the growing answer it follows; empty: none
  std::int64_t epoch = 0;
  std::size_t offset = 0;            // bytes of it
  std::uint64_t writing = 0;         // which arguments it follows, by their number in the log; 0: none yet
  std::size_t arguments_offset = 0;  // bytes of them
  std::uint64_t preparing = 0;       // which wait for a call it was told of, by its number in the log
};

class EventLog {
 public:
  struct Limits {
    std::size_t events = 256;
    std::size_t bytes = 8u << 20;  // of events and texts, the newest of each apart
  };

  // The first event gets the number base + 1.
  EventLog(std::uint64_t base, const Limits& limits);

  std::uint64_t last_sequence() const { return base_ + entries_.size(); }

  // Sets the event's number and keeps it. A message whose status is `streaming` is the answer that grows from
  // now on. MessageChanged with another status ends it, and the writing of arguments. A CallChanged of the
  // call that is being written gets its arguments so far here.
  void add(ConversationEvent event);
  // Before the event that makes an answer grow: what it has already.
  void open_text(const std::string& message, std::int64_t epoch, std::string_view text);
  // The growing answer's.
  void grow(std::string_view text);
  const std::string& text() const { return texts_.back().text; }
  // The arguments of call `index` of the growing answer are being written from now on, or no longer: whoever
  // ends them adds a CallChanged that has them all. Readers get them from their beginning, wherever they
  // come from.
  void open_arguments(int index);
  void grow_arguments(std::string_view text);
  void close_arguments();
  // What comes is held back, since it may become a call, until text or an event of the answer comes.
  void begin_preparing();
  // The call whose arguments are being written; -1: none is.
  int writing_call() const { return call_; }
  const std::string& arguments() const { return arguments_; }

  // Of a reader that has everything.
  Cursor end() const;
  // Where a client that comes back goes on; none: only a snapshot helps.
  std::optional<Cursor> resume(const ClientPosition& position) const;
  // What came after the cursor, which is moved to the end; none: it is too far behind.
  std::optional<std::vector<ConversationEvent>> read(Cursor& cursor) const;

 private:
  // The answer as it stood after an event.
  struct Mark {
    std::string message;
    std::int64_t epoch = 0;
    std::size_t bytes = 0;
    bool growing = false;
  };
  struct Entry {
    ConversationEvent event;
    Mark mark;
    std::size_t bytes = 0;  // memory it takes, about
  };
  struct Text {
    std::string message;
    std::int64_t epoch = 0;
    std::string text;
    std::uint64_t last_sequence = 0;  // of the newest event about it
  };
  using Events = std::vector<ConversationEvent>;

  const Mark& mark_at(std::uint64_t sequence) const;
  Mark mark_after(const ConversationEvent& event);
  void add_arguments(ConversationEvent& event) const;
  const Text* find_text(const std::string& message, std::int64_t epoch) const;
  bool replay(std::uint64_t sequence, Cursor& cursor, Events& out) const;
  bool bring_text_to(const Mark& mark, Cursor& cursor, Events& out) const;
  void bring_arguments(Cursor& cursor, Events& out) const;
  void tell_preparing(Cursor& cursor, Events& out) const;
  std::size_t text_bytes() const;
  void trim();

  Limits limits_;
  std::uint64_t base_;
  Mark base_mark_;  // after event number base_
  std::deque<Entry> entries_;
  std::size_t entry_bytes_ = 0;
  std::deque<Text> texts_;  // in order of their beginning; the growing one is the last
  // Arguments that are being written: of which call of the growing answer (-1: of none), and their number.
  int call_ = -1;
  std::uint64_t writing_ = 0;
  std::string arguments_;
  std::uint64_t preparing_ = 0, num_preparing_ = 0;  // the number of the wait for a call, 0: there is none
};

}  // namespace parley::orchestration::turn
