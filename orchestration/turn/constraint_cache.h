#pragma once
// Compiled constraints of one model, kept by what they were made from, the least recently used let go first.
// With a constraint is kept what the engine has learnt with it. Any thread: the lock is never held while one
// is made. Throws what making throws.

#include <cstddef>
#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "orchestration/turn/output_constraint.h"

namespace parley::orchestration::turn {

struct KeptConstraint {
  ConstraintPointer constraint;
  std::vector<std::string> unenforced = {};  // CallGrammar::unenforced
};

class ConstraintCache {
 public:
  explicit ConstraintCache(std::size_t max_entries) : max_entries_(max_entries) {}

  // What is kept under `key`, else what `make` gives (whose constraint may be null, and is kept as well).
  KeptConstraint get(const std::string& key, const std::function<KeptConstraint()>& make);

 private:
  struct Entry {
    std::string key;
    KeptConstraint kept;
  };
  const Entry* find(const std::string& key);

  const std::size_t max_entries_;
  std::mutex mutex_;
  std::list<Entry> entries_;  // guarded by mutex_; the last one used first
};

}  // namespace parley::orchestration::turn
