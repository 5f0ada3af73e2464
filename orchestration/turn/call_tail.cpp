#include "orchestration/turn/call_tail.h"

#include <algorithm>

namespace parley::orchestration::turn {
namespace {

constexpr std::size_t kMaxTailBytes = 256;

// Bodies end with one of these; what stands behind it belongs to the tail.
constexpr std::string_view kBodyEnds = "}])>";

}  // namespace

CallTail::CallTail(const calls::CallFormat& format, std::string_view recent) : format_(&format) {
  std::size_t begin = std::string_view::npos;
  for (const std::string& marker : format.call_close) begin = std::min(begin, recent.rfind(marker));
  if (begin == std::string_view::npos) begin = recent.find_last_of(kBodyEnds) + 1;  // 0 if there is none
  text_ = recent.substr(begin);
  read();
}

CallTail::State CallTail::push(std::string_view bytes) {
  text_ += bytes;
  read();
  return state_;
}

void CallTail::read() {
  if (state_ != State::open) return;
  text_.erase(0, std::min(text_.find_first_not_of(" \t\r\n"), text_.size()));
  if (!call_closed_ && take(format_->call_close)) {
    call_closed_ = true;
    return read();
  }
  const bool needs_call_close = !call_closed_ && !format_->call_close.empty();
  const bool needs_no_more = format_->section_close.empty() && !needs_call_close;
  if (take(format_->section_close) || needs_no_more) {
    state_ = State::closed;
  } else if (!text_.empty() && ((!may_begin(format_->section_close) && !may_begin(format_->call_close)) ||
                                text_.size() > kMaxTailBytes)) {
    state_ = State::foreign;
  }
}

bool CallTail::take(const calls::Markers& markers) {
  for (const std::string& marker : markers) {
    if (!text_.starts_with(marker)) continue;
    text_.erase(0, marker.size());
    return true;
  }
  return false;
}

bool CallTail::may_begin(const calls::Markers& markers) const {
  return std::any_of(markers.begin(), markers.end(),
                     [this](const std::string& marker) { return marker.starts_with(text_); });
}

}  // namespace parley::orchestration::turn
