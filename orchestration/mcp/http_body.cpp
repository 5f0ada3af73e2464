#include "orchestration/mcp/http_body.h"

#include <algorithm>

#include "orchestration/fetch/request_rules.h"
#include "orchestration/mcp/message.h"

namespace parley::orchestration::mcp {

HttpBody::HttpBody(MessageHandler on_message)
    : on_message_(std::move(on_message)), events_(kMaxMessageBytes) {}

void HttpBody::begin(int status, const std::vector<std::pair<std::string, std::string>>& headers) {
  const std::string type = fetch::lower_case(header_of(headers, "content-type"));
  is_stream_ = status >= 200 && status < 300 && type.starts_with("text/event-stream");
}

bool HttpBody::push(std::string_view bytes) {
  if (!is_stream_) {
    if (text_.size() + bytes.size() > kMaxMessageBytes) {
      error_ = "its answer is longer than 10 MiB";
      return false;
    }
    text_ += bytes;
    return true;
  }
  for (const fetch::ServerEvent& event : events_.push(bytes)) {
    if (event.type == "message") on_message_(event.data);
  }
  error_ = events_.error();
  return error_.empty();
}

std::string header_of(const std::vector<std::pair<std::string, std::string>>& headers,
                      std::string_view name) {
  const auto found = std::find_if(headers.begin(), headers.end(),
                                  [name](const auto& header) { return header.first == name; });
  return found == headers.end() ? "" : found->second;
}

}  // namespace parley::orchestration::mcp
