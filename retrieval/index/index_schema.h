#pragma once
// The tables of documents.db. Pure, any thread.

#include "storage/sqlite/schema.h"

namespace parley::retrieval::index {

storage::sqlite::Schema index_schema();

}  // namespace parley::retrieval::index
