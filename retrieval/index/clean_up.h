#pragma once
// Deletes what nothing answers with any more, in pieces. The writer's thread. Throws StoreError.

#include "retrieval/index/store_connection.h"

namespace parley::retrieval::index {

// Within the caller's transaction: about `rows` rows; false: nothing is left to delete.
bool clean_up_rows(StoreConnection& writer, int rows);

}  // namespace parley::retrieval::index
