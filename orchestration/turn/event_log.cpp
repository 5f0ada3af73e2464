#include "orchestration/turn/event_log.h"

#include <cassert>
#include <utility>

#include "inference/tokenizer/utf8.h"
#include "orchestration/turn/event_size.h"

namespace parley::orchestration::turn {
namespace {

using sessions::MessageStatus;

constexpr std::size_t kEventOverhead = 512;

struct MemoryOf {
  std::size_t operator()(const MessageAdded& event) const { return kEventOverhead + bytes_of(event.message); }
  std::size_t operator()(const MessageChanged& event) const {
    return kEventOverhead + bytes_of(event.message);
  }
  std::size_t operator()(const CallChanged& event) const { return kEventOverhead + bytes_of(event.call); }
  std::size_t operator()(const ConversationChanged& event) const {
    return kEventOverhead + event.summary.conversation.settings.system_prompt.size();
  }
  template <typename Other>
  std::size_t operator()(const Other&) const {
    return kEventOverhead;
  }
};

void set_sequence(ConversationEvent& event, std::uint64_t sequence) {
  std::visit(
      [sequence](auto& e) {
        if constexpr (requires { e.sequence; }) e.sequence = sequence;
      },
      event);
}

TextDelta make_delta(const std::string& message, std::int64_t epoch, std::size_t offset, std::string text) {
  TextDelta delta;
  delta.message = message;
  delta.epoch = epoch;
  delta.offset = offset;
  delta.text = std::move(text);
  return delta;
}

}  // namespace

EventLog::EventLog(std::uint64_t base, const Limits& limits) : limits_(limits), base_(base) {}

const EventLog::Mark& EventLog::mark_at(std::uint64_t sequence) const {
  return sequence == base_ ? base_mark_ : entries_[sequence - base_ - 1].mark;
}

const EventLog::Text* EventLog::find_text(const std::string& message, std::int64_t epoch) const {
  for (const Text& text : texts_) {
    if (text.message == message && text.epoch == epoch) return &text;
  }
  return nullptr;
}

EventLog::Mark EventLog::mark_after(const ConversationEvent& event) {
  const Mark& before = mark_at(last_sequence());
  if (const auto* added = std::get_if<MessageAdded>(&event)) {
    if (added->message.status != MessageStatus::streaming) return before;
    assert(!texts_.empty() && texts_.back().message == added->message.id);
    return Mark{added->message.id, added->message.epoch, text().size(), true};
  }
  if (const auto* changed = std::get_if<MessageChanged>(&event)) {
    const bool growing = changed->message.status == MessageStatus::streaming;
    return Mark{changed->message.id, changed->message.epoch, changed->text_bytes, growing};
  }
  return before;
}

void EventLog::add(ConversationEvent event) {
  const std::uint64_t sequence = last_sequence() + 1;
  set_sequence(event, sequence);
  Entry entry;
  entry.mark = mark_after(event);
  if (!entry.mark.growing) close_arguments();
  if (!std::holds_alternative<ConversationChanged>(event)) preparing_ = 0;
  add_arguments(event);
  entry.bytes = std::visit(MemoryOf(), event);
  entry.event = std::move(event);
  if (!texts_.empty() && texts_.back().message == entry.mark.message) texts_.back().last_sequence = sequence;
  entry_bytes_ += entry.bytes;
  entries_.push_back(std::move(entry));
  trim();
}

// What a client has of them takes the place of what it had, so an event must not bring it less.
void EventLog::add_arguments(ConversationEvent& event) const {
  auto* changed = std::get_if<CallChanged>(&event);
  const bool written = changed != nullptr && call_ >= 0 && changed->index == call_ &&
                       changed->message == texts_.back().message;
  if (written) changed->call.call.arguments = arguments_;
}

void EventLog::open_text(const std::string& message, std::int64_t epoch, std::string_view text) {
  close_arguments();
  const bool goes_on = !texts_.empty() && texts_.back().message == message && texts_.back().epoch == epoch;
  if (goes_on) {
    assert(texts_.back().text == text);
    return;
  }
  Text opened;
  opened.message = message;
  opened.epoch = epoch;
  opened.text = text;
  texts_.push_back(std::move(opened));
}

void EventLog::grow(std::string_view text) {
  texts_.back().text.append(text);
  preparing_ = 0;
}

void EventLog::begin_preparing() {
  if (preparing_ == 0) preparing_ = ++num_preparing_;
}

void EventLog::open_arguments(int index) {
  assert(index >= 0 && !texts_.empty());
  call_ = index;
  ++writing_;
  arguments_.clear();
}

void EventLog::grow_arguments(std::string_view text) {
  assert(call_ >= 0);
  arguments_.append(text);
}

void EventLog::close_arguments() {
  call_ = -1;
  arguments_.clear();
}

std::size_t EventLog::text_bytes() const {
  std::size_t bytes = 0;
  for (const Text& text : texts_) bytes += text.text.size();
  return texts_.empty() ? 0 : bytes - texts_.back().text.size();
}

void EventLog::trim() {
  while (entries_.size() > 1 && (entries_.size() > limits_.events ||
                                 entry_bytes_ - entries_.back().bytes + text_bytes() > limits_.bytes)) {
    entry_bytes_ -= entries_.front().bytes;
    base_mark_ = std::move(entries_.front().mark);
    entries_.pop_front();
    ++base_;
    while (texts_.size() > 1 && texts_.front().last_sequence <= base_) texts_.pop_front();
  }
}

Cursor EventLog::end() const {
  Cursor cursor;
  cursor.sequence = last_sequence();
  const Mark& mark = mark_at(cursor.sequence);
  if (mark.growing) {
    cursor.message = mark.message;
    cursor.epoch = mark.epoch;
    cursor.offset = text().size();
    cursor.writing = writing_;
    cursor.arguments_offset = arguments_.size();
  }
  return cursor;
}

std::optional<Cursor> EventLog::resume(const ClientPosition& position) const {
  if (position.sequence < base_ || position.sequence > last_sequence()) return std::nullopt;
  const Mark& mark = mark_at(position.sequence);
  const bool has_it = position.message == mark.message && position.epoch == mark.epoch;
  Cursor cursor;
  cursor.sequence = position.sequence;
  if (!mark.growing) {
    const bool has_all = position.message.empty() || (has_it && position.offset == mark.bytes);
    return has_all ? std::optional(cursor) : std::nullopt;
  }
  const bool has_nothing_yet = position.message.empty() && mark.bytes == 0;
  if (!has_it && !has_nothing_yet) return std::nullopt;
  const Text* text = find_text(mark.message, mark.epoch);
  const std::size_t offset = has_nothing_yet ? 0 : position.offset;
  if (text == nullptr || offset < mark.bytes ||
      !inference::tokenizer::is_character_border(text->text, offset))
    return std::nullopt;
  cursor.message = mark.message;
  cursor.epoch = mark.epoch;
  cursor.offset = offset;
  return cursor;
}

bool EventLog::bring_text_to(const Mark& mark, Cursor& cursor, Events& out) const {
  const Text* text = find_text(mark.message, mark.epoch);
  if (text == nullptr || cursor.message != mark.message || cursor.epoch != mark.epoch) return false;
  if (cursor.offset > mark.bytes || mark.bytes > text->text.size()) return false;
  if (cursor.offset < mark.bytes) {
    out.emplace_back(make_delta(mark.message, mark.epoch, cursor.offset,
                                text->text.substr(cursor.offset, mark.bytes - cursor.offset)));
    cursor.offset = mark.bytes;
  }
  return true;
}

// A reader that comes to a call whose arguments are being written gets them from their beginning.
void EventLog::bring_arguments(Cursor& cursor, Events& out) const {
  if (call_ < 0) return;
  if (cursor.writing != writing_) {
    cursor.writing = writing_;
    cursor.arguments_offset = 0;
  }
  if (cursor.arguments_offset == arguments_.size()) return;
  ArgumentsDelta delta;
  delta.message = cursor.message;
  delta.epoch = cursor.epoch;
  delta.index = call_;
  delta.offset = cursor.arguments_offset;
  delta.text = arguments_.substr(cursor.arguments_offset);
  out.emplace_back(std::move(delta));
  cursor.arguments_offset = arguments_.size();
}

void EventLog::tell_preparing(Cursor& cursor, Events& out) const {
  if (preparing_ == 0 || cursor.preparing == preparing_) return;
  CallPreparing event;
  event.message = cursor.message;
  event.epoch = cursor.epoch;
  out.emplace_back(std::move(event));
  cursor.preparing = preparing_;
}

bool EventLog::replay(std::uint64_t sequence, Cursor& cursor, Events& out) const {
  const Entry& entry = entries_[sequence - base_ - 1];
  const bool was_growing = mark_at(sequence - 1).growing;
  if (was_growing && !entry.mark.growing && !bring_text_to(entry.mark, cursor, out)) return false;
  if (!was_growing && entry.mark.growing) {
    cursor.message = entry.mark.message;
    cursor.epoch = entry.mark.epoch;
    cursor.offset = entry.mark.bytes;
  }
  out.push_back(entry.event);
  return true;
}

std::optional<std::vector<ConversationEvent>> EventLog::read(Cursor& cursor) const {
  if (cursor.sequence < base_ || cursor.sequence > last_sequence()) return std::nullopt;
  Events out;
  Cursor moved = cursor;
  for (std::uint64_t sequence = cursor.sequence + 1; sequence <= last_sequence(); ++sequence) {
    if (!replay(sequence, moved, out)) return std::nullopt;
  }
  moved.sequence = last_sequence();
  Mark now = mark_at(moved.sequence);
  if (now.growing) {
    now.bytes = text().size();
    if (!bring_text_to(now, moved, out)) return std::nullopt;
    bring_arguments(moved, out);
    tell_preparing(moved, out);
  }
  cursor = std::move(moved);
  return out;
}

}  // namespace parley::orchestration::turn
