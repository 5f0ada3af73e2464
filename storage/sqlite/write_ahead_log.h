#pragma once
// The integrity of SQLite's write-ahead log (sqlite.org/fileformat2.html, section 4). SQLite ends its reading
// at the first frame whose checksum is wrong and says nothing, because that is how a log ends after a crash.
// Pure function, any thread; a file that cannot be read counts as undamaged, SQLite will say more.

#include <filesystem>

namespace parley::storage::sqlite {

// Whether frames of this log are lost to SQLite: its header is broken, or a frame that belongs to it. What is
// left of an earlier log behind its end, and a last frame that was cut, are no damage.
bool is_damaged_log(const std::filesystem::path& log);

}  // namespace parley::storage::sqlite
