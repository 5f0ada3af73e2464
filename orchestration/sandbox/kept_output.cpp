#include "orchestration/sandbox/kept_output.h"

#include <algorithm>

namespace parley::orchestration::sandbox {

void KeptOutput::append(std::string_view bytes) {
  total_ += bytes.size();
  const std::size_t to_head = std::min(bytes.size(), max_head_ - head_.size());
  head_.append(bytes.substr(0, to_head));
  bytes.remove_prefix(to_head);
  if (bytes.size() >= max_tail_) {
    ring_.assign(bytes.substr(bytes.size() - max_tail_));
    ring_start_ = 0;
    return;
  }
  const std::size_t to_fill = std::min(bytes.size(), max_tail_ - ring_.size());
  ring_.append(bytes.substr(0, to_fill));
  bytes.remove_prefix(to_fill);
  while (!bytes.empty()) {
    const std::size_t length = std::min(bytes.size(), max_tail_ - ring_start_);
    bytes.copy(ring_.data() + ring_start_, length);
    ring_start_ = (ring_start_ + length) % max_tail_;
    bytes.remove_prefix(length);
  }
}

std::size_t KeptOutput::cut_bytes() const { return total_ - head_.size() - ring_.size(); }

std::string KeptOutput::tail() const { return ring_.substr(ring_start_) + ring_.substr(0, ring_start_); }

std::string KeptOutput::text() const { return head_ + tail(); }

}  // namespace parley::orchestration::sandbox
