#pragma once
// Counts text that is held back before it is written: merged cells and shared strings let a small file state
// one long text a million times. One thread. Throws FormatError (over_limit).

#include <cstddef>
#include <string>

#include "retrieval/documents/format_error.h"

namespace parley::retrieval::documents {

class TextBudget {
 public:
  explicit TextBudget(std::size_t max_bytes) : max_bytes_(max_bytes) {}

  // Takes one more cell of so many bytes, before it is copied.
  void take(std::size_t bytes) {
    constexpr std::size_t kOfEachCell = 8;  // cells of one letter take memory too
    taken_bytes_ += bytes + kOfEachCell;
    if (taken_bytes_ > max_bytes_) {
      throw FormatError(ReadFailure::Kind::over_limit, "the text of one of its tables is longer than " +
                                                           std::to_string(max_bytes_ >> 20) + " MiB");
    }
  }

 private:
  std::size_t max_bytes_;
  std::size_t taken_bytes_ = 0;
};

}  // namespace parley::retrieval::documents
