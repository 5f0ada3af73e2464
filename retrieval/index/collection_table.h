#pragma once
// Rows of `collections`, without transactions of its own. The connection's thread. Throws StoreError.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "retrieval/index/sqlite.h"
#include "retrieval/index/stored_document.h"

namespace parley::retrieval::index {

class CollectionTable {
 public:
  explicit CollectionTable(Database& database);

  Collection add(const CollectionSettings& settings, std::int64_t now_ms);
  std::vector<Collection> all();
  void set_state(CollectionId collection, CollectionState state, const std::string& reason);
  void mark_removed(CollectionId collection);
  // One that was removed and whose rows are still there.
  std::optional<CollectionId> any_removed();
  void erase(CollectionId collection);

 private:
  Statement add_;
  Statement taken_;
  Statement all_;
  Statement set_state_;
  Statement mark_removed_;
  Statement any_removed_;
  Statement erase_;
};

}  // namespace parley::retrieval::index
