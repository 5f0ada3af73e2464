#pragma once
// Whether a database's file is damaged. Of one connection, by the thread that uses it. Throws StoreError when
// that cannot be told, also when the check was interrupted.

#include <cstdint>
#include <optional>
#include <string>

struct sqlite3;

namespace parley::storage::sqlite {

enum class Check : std::uint8_t {
  schema,  // the first pages
  quick,   // that the pages do not contradict one another: reads all of them once
  whole,   // and that the indexes hold what the tables do: takes several times as long
};

// What is wrong with it, on one line: not a database, or what the check found. Nothing: it is healthy.
std::optional<std::string> find_damage(sqlite3* database, Check check);

// Makes all indexes anew from their tables. False: it cannot be done.
bool rebuild_indexes(sqlite3* database);

}  // namespace parley::storage::sqlite
