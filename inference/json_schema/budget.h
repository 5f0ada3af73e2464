#pragma once
// What a check may still cost. Used by one thread, for one check; never fails, but says when it is over: from
// then on results mean nothing, and whoever made the budget gives the check up.

#include <cstddef>

namespace parley::inference::json_schema {

class Budget {
 public:
  explicit Budget(std::size_t steps) : steps_(steps) {}

  // False: it is over.
  bool spend(std::size_t steps) {
    if (steps > steps_) exhaust();
    if (!exhausted_) steps_ -= steps;
    return !exhausted_;
  }
  void exhaust() { exhausted_ = true; }
  bool exhausted() const { return exhausted_; }
  std::size_t steps() const { return exhausted_ ? 0 : steps_; }

 private:
  std::size_t steps_;
  bool exhausted_ = false;
};

}  // namespace parley::inference::json_schema
