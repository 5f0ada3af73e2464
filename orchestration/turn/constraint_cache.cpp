#include "orchestration/turn/constraint_cache.h"

#include <algorithm>

namespace parley::orchestration::turn {

KeptConstraint ConstraintCache::get(const std::string& key, const std::function<KeptConstraint()>& make) {
  {
    const std::scoped_lock lock(mutex_);
    if (const Entry* entry = find(key)) return entry->kept;
  }
  KeptConstraint made = make();
  KeptConstraint dropped;  // destroyed outside the lock
  const std::scoped_lock lock(mutex_);
  if (const Entry* entry = find(key)) return entry->kept;  // another request was faster
  entries_.push_front({key, made});
  if (entries_.size() > max_entries_) {
    dropped = std::move(entries_.back().kept);
    entries_.pop_back();
  }
  return made;
}

const ConstraintCache::Entry* ConstraintCache::find(const std::string& key) {
  const auto found =
      std::find_if(entries_.begin(), entries_.end(), [&key](const Entry& entry) { return entry.key == key; });
  if (found == entries_.end()) return nullptr;
  entries_.splice(entries_.begin(), entries_, found);
  return &entries_.front();
}

}  // namespace parley::orchestration::turn
