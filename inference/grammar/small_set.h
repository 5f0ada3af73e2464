#pragma once
// A set that is mostly small: few members are looked through, more are hashed, so that a large one costs no
// more a member. One thread, never fails.

#include <algorithm>
#include <cstddef>
#include <functional>
#include <unordered_set>
#include <vector>

namespace parley::inference::grammar {

template <typename Value, typename Hash = std::hash<Value>>
class SmallSet {
 public:
  bool contains(const Value& value) const {
    if (!many_.empty()) return many_.contains(value);
    return std::find(few_.begin(), few_.end(), value) != few_.end();
  }

  // Whether it was not in the set.
  bool insert(const Value& value) {
    if (!many_.empty()) return many_.insert(value).second;
    if (contains(value)) return false;
    few_.push_back(value);
    if (few_.size() > kFew) many_.insert(few_.begin(), few_.end());
    return true;
  }

  void clear() {
    few_.clear();
    if (!many_.empty()) many_ = {};
  }

 private:
  static constexpr std::size_t kFew = 16;

  std::vector<Value> few_;
  std::unordered_set<Value, Hash> many_;  // all of them, once there are more than a few
};

}  // namespace parley::inference::grammar
