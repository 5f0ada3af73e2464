#pragma once
// The first and the last bytes of an output that may never end, in bounded memory. One thread.

#include <cstddef>
#include <string>
#include <string_view>

namespace parley::orchestration::sandbox {

class KeptOutput {
 public:
  KeptOutput(std::size_t max_head, std::size_t max_tail) : max_head_(max_head), max_tail_(max_tail) {}

  void append(std::string_view bytes);
  std::size_t cut_bytes() const;
  std::string text() const;                            // what was kept, head and tail
  std::size_t cut_at() const { return head_.size(); }  // where in it bytes were cut, if any were

 private:
  std::string tail() const;

  std::size_t max_head_;
  std::size_t max_tail_;
  std::size_t total_ = 0;
  std::string head_;
  std::string ring_;            // the last bytes behind the head, up to max_tail_
  std::size_t ring_start_ = 0;  // where the oldest of them is, once the ring is full
};

}  // namespace parley::orchestration::sandbox
