#pragma once
// Reads a text/event-stream (WHATWG HTML, 9.2.6) that comes in any pieces; the events do not depend on how it
// was split, and each comes out with the byte that completes it. One object per stream, used by one thread.
// What is too long ends the stream for good: `error` says so. Linear.

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace parley::orchestration::fetch {

struct ServerEvent {
  std::string type = "message";
  std::string data;     // valid UTF-8; lines joined by a newline
  std::string last_id;  // of this event or of an earlier one
};

class EventStream {
 public:
  // max_event: bytes of one line, and of the data of one event.
  explicit EventStream(std::size_t max_event = std::size_t{4} << 20) : max_event_(max_event) {}

  // The events that became complete. An event that the end of the stream leaves incomplete is dropped, as the
  // standard wants it.
  std::vector<ServerEvent> push(std::string_view bytes);

  const std::string& error() const { return error_; }      // a sentence; empty while all is well
  const std::string& last_id() const { return last_id_; }  // to send as Last-Event-ID
  std::optional<std::chrono::milliseconds> retry() const { return retry_; }  // how long to wait, if asked to

 private:
  void end_line(std::vector<ServerEvent>& events);
  void take_field(std::string_view name, std::string_view value);
  void dispatch(std::vector<ServerEvent>& events);

  std::size_t max_event_;
  std::string line_;
  bool first_line_ = true;
  bool after_return_ = false;  // the last byte was CR: an LF now belongs to it
  std::string type_;
  std::string data_;
  std::string next_id_;
  std::string last_id_;
  std::optional<std::chrono::milliseconds> retry_;
  std::string error_;
};

}  // namespace parley::orchestration::fetch
