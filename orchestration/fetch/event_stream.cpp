#include "orchestration/fetch/event_stream.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <utility>

#include "inference/text/utf8_repair.h"

namespace parley::orchestration::fetch {
namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

// Line ends are no part of any character, so that mending each value is mending the stream.
std::string mended(std::string_view bytes) {
  inference::text::Utf8Repair repair;
  std::string text;
  repair.push(bytes, text);
  repair.finish(text);
  return text;
}

bool is_digits(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

}  // namespace

std::vector<ServerEvent> EventStream::push(std::string_view bytes) {
  std::vector<ServerEvent> events;
  while (!bytes.empty() && error_.empty()) {
    if (std::exchange(after_return_, false) && bytes.front() == '\n') {
      bytes.remove_prefix(1);
      continue;
    }
    const std::size_t end = bytes.find_first_of("\r\n");
    const std::string_view part = bytes.substr(0, end);
    if (part.size() > max_event_ - line_.size()) {
      error_ = "The event stream holds a line of more than " + std::to_string(max_event_) + " bytes.";
      break;
    }
    line_ += part;
    if (end == std::string_view::npos) break;
    after_return_ = bytes[end] == '\r';
    bytes.remove_prefix(end + 1);
    end_line(events);
  }
  return events;
}

void EventStream::end_line(std::vector<ServerEvent>& events) {
  const std::string whole = std::exchange(line_, {});
  std::string_view line = whole;
  if (std::exchange(first_line_, false) && line.starts_with(kByteOrderMark)) line.remove_prefix(3);
  if (line.empty()) return dispatch(events);
  const std::size_t colon = line.find(':');
  if (colon == std::string_view::npos) return take_field(line, {});
  std::string_view value = line.substr(colon + 1);
  if (value.starts_with(' ')) value.remove_prefix(1);
  take_field(line.substr(0, colon), value);
}

void EventStream::take_field(std::string_view name, std::string_view value) {
  if (name == "data") {
    if (value.size() >= max_event_ - std::min(max_event_, data_.size())) {
      error_ = "An event of the stream holds more than " + std::to_string(max_event_) + " bytes.";
      return;
    }
    data_ += mended(value) + '\n';
  } else if (name == "event") {
    type_ = mended(value);
  } else if (name == "id") {
    if (value.find('\0') == std::string_view::npos) next_id_ = mended(value);
  } else if (name == "retry" && is_digits(value)) {
    std::uint32_t milliseconds = 0;
    const auto parsed = std::from_chars(value.data(), value.data() + value.size(), milliseconds);
    if (parsed.ec == std::errc()) retry_ = std::chrono::milliseconds(milliseconds);
  }
}

void EventStream::dispatch(std::vector<ServerEvent>& events) {
  last_id_ = next_id_;
  std::string type = std::exchange(type_, {});
  std::string data = std::exchange(data_, {});
  if (data.empty()) return;
  data.pop_back();  // the newline after the last line
  ServerEvent event;
  if (!type.empty()) event.type = std::move(type);
  event.data = std::move(data);
  event.last_id = last_id_;
  events.push_back(std::move(event));
}

}  // namespace parley::orchestration::fetch
