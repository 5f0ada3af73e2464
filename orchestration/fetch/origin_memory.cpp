#include "orchestration/fetch/origin_memory.h"

namespace parley::orchestration::fetch {

bool OriginMemory::allows(const std::string& trusted_origin, AddressKind kind) {
  const std::lock_guard lock(mutex_);
  const auto known = first_kinds_.find(trusted_origin);
  if (known != first_kinds_.end()) {
    return known->second == AddressKind::closed || kind == AddressKind::open;
  }
  if (first_kinds_.size() < kMaxOrigins) first_kinds_.emplace(trusted_origin, kind);
  return true;
}

}  // namespace parley::orchestration::fetch
