#pragma once
// The tables of parley.db. Any thread.

#include "storage/sqlite/schema.h"

namespace parley::orchestration::sessions {

storage::sqlite::Schema session_schema();

}  // namespace parley::orchestration::sessions
