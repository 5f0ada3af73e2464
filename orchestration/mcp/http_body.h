#pragma once
// The body of one HTTP answer, as it arrives: one JSON text, or a stream of events each of which is a
// message. One object per answer, one thread. What is too long is a sentence in error().

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "orchestration/fetch/event_stream.h"

namespace parley::orchestration::mcp {

class HttpBody {
 public:
  using MessageHandler = std::function<void(std::string_view text)>;

  // Events become messages only when the status says success.
  explicit HttpBody(MessageHandler on_message);

  void begin(int status, const std::vector<std::pair<std::string, std::string>>& headers);
  // False when it is to be ended: it is too long.
  bool push(std::string_view bytes);

  bool is_stream() const { return is_stream_; }
  const std::string& text() const { return text_; }  // where it is no stream
  const std::string& error() const { return error_; }
  // Of a stream: where it can be resumed, and how long to wait before that.
  const std::string& last_id() const { return events_.last_id(); }
  std::optional<std::chrono::milliseconds> retry() const { return events_.retry(); }

 private:
  const MessageHandler on_message_;
  fetch::EventStream events_;
  bool is_stream_ = false;
  std::string text_;
  std::string error_;
};

// The value of a header, whose names are in lower case; empty if there is none.
std::string header_of(const std::vector<std::pair<std::string, std::string>>& headers, std::string_view name);

}  // namespace parley::orchestration::mcp
