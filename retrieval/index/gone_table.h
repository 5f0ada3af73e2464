#pragma once
// Generations that answer no more and are still to be deleted, without transactions of its own. The
// connection's thread. Throws StoreError.

#include <optional>
#include <vector>

#include "retrieval/index/file_table.h"
#include "retrieval/index/passage_feed.h"
#include "retrieval/index/sqlite.h"

namespace parley::retrieval::index {

struct GoneGeneration {
  std::int64_t id = 0;
  CollectionId collection = 0;
  PassageRange passages;  // last < first: none
  PassageId next_passage = 0;
  std::optional<std::int64_t> text;
};

class GoneTable {
 public:
  explicit GoneTable(Database& database);

  // Nothing to do for a generation without passages and text.
  void add(CollectionId collection, const Generation& generation);
  std::optional<GoneGeneration> first();
  std::vector<GoneGeneration> after(std::int64_t id, int count);
  void set_next(std::int64_t id, PassageId next_passage);
  void erase(std::int64_t id);

 private:
  Statement add_;
  Statement after_;
  Statement set_next_;
  Statement erase_;
};

}  // namespace parley::retrieval::index
