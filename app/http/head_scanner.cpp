#include "app/http/head_scanner.h"

#include <algorithm>
#include <string>

namespace parley::app::http {

HeadScanner::Result HeadScanner::scan(std::string_view pending) {
  while (true) {
    const std::size_t newline = pending.find('\n', scanned_);
    const std::size_t line_end = std::min(newline, pending.size());
    if (num_lines_ == 0 && line_end > limits_.max_request_line) {
      return Refusal{
          414, "The request line is longer than " + std::to_string(limits_.max_request_line) + " bytes.", {}};
    }
    if (line_end > limits_.max_head) {
      return Refusal{
          431, "The request's head is larger than " + std::to_string(limits_.max_head) + " bytes.", {}};
    }
    scanned_ = line_end;
    if (newline == std::string_view::npos) return NeedMore{};
    if (newline == 0 || pending[newline - 1] != '\r') {
      return Refusal{400, "A line of the request's head does not end with CR LF.", {}};
    }
    scanned_ = newline + 1;
    if (newline - line_begin_ == 1) return scanned_;
    line_begin_ = scanned_;
    if (++num_lines_ > limits_.max_fields + 1) {
      return Refusal{
          431, "The request has more than " + std::to_string(limits_.max_fields) + " header fields.", {}};
    }
  }
}

}  // namespace parley::app::http
