#pragma once
// A file beside the database (parley.db.suspect) that says that damage was met in it, so that the next start
// checks all of it before it serves anybody. Any thread; never fails: where it cannot be written, nothing is
// remembered.

#include <filesystem>

namespace parley::storage::sqlite {

void suspect(const std::filesystem::path& database);
bool is_suspected(const std::filesystem::path& database);
void clear_suspicion(const std::filesystem::path& database);

}  // namespace parley::storage::sqlite
