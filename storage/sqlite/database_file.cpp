#include "storage/sqlite/database_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <cstdint>
#include <ctime>
#include <optional>
#include <string>
#include <system_error>

#include "storage/sqlite/database_check.h"
#include "storage/sqlite/schema.h"
#include "storage/sqlite/store_error.h"
#include "storage/sqlite/suspicion.h"
#include "storage/sqlite/write_ahead_log.h"

namespace parley::storage::sqlite {
namespace {

namespace fs = std::filesystem;

fs::path with_suffix(fs::path file, const std::string& suffix) {
  file += suffix;
  return file;
}

// Made here with private permissions, which SQLite then copies to -wal and -shm.
void touch_private(const fs::path& file) {
  const int descriptor = ::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (descriptor < 0) {
    throw StoreError("Cannot open " + file.string() + " for writing (" +
                     std::error_code(errno, std::generic_category()).message() +
                     "). Give this user write access to it, or choose another --data folder.");
  }
  ::close(descriptor);
}

// A database cut to nothing beside a log full of pages: SQLite would delete the log without a word.
bool lost_its_beginning(const fs::path& file) {
  std::error_code ignored;  // a file that is missing has no size
  const auto log_bytes = fs::file_size(with_suffix(file, "-wal"), ignored);
  const bool has_log = !ignored && log_bytes > 0;
  return has_log && fs::file_size(file, ignored) == 0;
}

// A run that ended well has moved its log into the file and removed it.
bool was_cut_off(const fs::path& file) {
  std::error_code ignored;
  return fs::exists(with_suffix(file, "-wal"), ignored);
}

std::string size_text(std::uintmax_t bytes) {
  return std::to_string((bytes + (1u << 20) - 1) >> 20) + " MiB";
}

// What has to be known of the file before anybody is served.
Check check_of(const fs::path& file, const OpenOptions& options) {
  std::error_code ignored;  // a file that is missing is not large
  const std::uintmax_t size = fs::exists(file, ignored) ? fs::file_size(file, ignored) : 0;
  const bool is_large = size > options.checked_before;
  const Check check = is_suspected(file)               ? Check::whole
                      : !is_large || was_cut_off(file) ? Check::quick
                                                       : Check::schema;
  if (is_large && options.tell) {
    const std::string what = "the database " + file.string() + " (" + size_text(size) + ") is being checked";
    options.tell(check == Check::schema  ? what + " while Parley serves"
                 : check == Check::quick ? what + " first, since Parley was cut off when it last ended"
                                         : what + " first, since damage was met in it");
  }
  return check;
}

std::optional<std::string> find_damage_at_start(Database& database, Check check, OpenReport& report) {
  const Check first = check == Check::whole ? Check::quick : check;
  auto damage = find_damage(database.handle(), first);
  if (damage || check != Check::whole) return damage;
  damage = find_damage(database.handle(), Check::whole);
  if (!damage || !rebuild_indexes(database.handle())) return damage;
  damage = find_damage(database.handle(), Check::whole);
  report.rebuilt_indexes = !damage;
  return damage;
}

std::optional<std::string> prepare(Database& database, const Schema& schema, Check check,
                                   OpenReport& report) {
  database.execute("PRAGMA locking_mode = EXCLUSIVE; PRAGMA cell_size_check = ON");
  if (auto damage = find_damage_at_start(database, check, report)) return damage;
  if (database.text("PRAGMA journal_mode = WAL") != "wal") {
    throw StoreError(
        "The data folder's file system does not support SQLite's write-ahead log. Choose another "
        "--data folder, on a local disk.");
  }
  database.execute(
      "PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; PRAGMA temp_store = MEMORY;"
      "PRAGMA journal_size_limit = 67108864");
  migrate(database, schema);
  return find_missing_tables(database, schema);
}

std::string time_stamp() {
  const std::time_t now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
  std::tm utc{};
  ::gmtime_r(&now, &utc);
  std::array<char, 32> text{};
  const std::size_t size = std::strftime(text.data(), text.size(), "%Y%m%dT%H%M%SZ", &utc);
  return {text.data(), size};
}

fs::path free_name(const fs::path& file, const std::string& why) {
  const fs::path first = with_suffix(file, "." + why + "-" + time_stamp());
  fs::path name = first;
  for (int n = 2; fs::exists(name) || fs::exists(with_suffix(name, "-wal")); ++n) {
    name = with_suffix(first, "-" + std::to_string(n));
  }
  return name;
}

// The log goes first: a new database beside the old one's log would take that log for its own.
fs::path set_aside(const fs::path& file) {
  fs::path copy = free_name(file, "corrupt");
  for (const char* part : {"-wal", "-shm", "-journal", ""}) {
    if (!fs::exists(with_suffix(file, part))) continue;
    std::error_code error;
    fs::rename(with_suffix(file, part), with_suffix(copy, part), error);
    if (error) {
      throw StoreError(file.string() + " is damaged and cannot be moved to " + copy.string() + " (" +
                       error.message() + "). Move it away by hand, then start Parley again.");
    }
  }
  return copy;
}

fs::path copy_with_log(const fs::path& file) {
  fs::path copy = free_name(file, "damaged-log");
  for (const char* part : {"-wal", ""}) {
    std::error_code error;
    fs::copy_file(with_suffix(file, part), with_suffix(copy, part), error);
    if (error) {
      throw StoreError("The log beside " + file.string() + " is damaged and cannot be copied to " +
                       copy.string() + part + " (" + error.message() +
                       "). Copy it by hand, delete it, and start Parley again.");
    }
  }
  return copy;
}

}  // namespace

OpenedFile open_database_file(const fs::path& file, const Schema& schema, const OpenOptions& options,
                              OpenReport& report) {
  touch_private(file);
  if (!lost_its_beginning(file)) {
    const Check check = check_of(file, options);
    if (is_damaged_log(with_suffix(file, "-wal"))) report.damaged_log_copy = copy_with_log(file);
    OpenedFile opened{Database(file), check != Check::schema};
    if (!prepare(opened.database, schema, check, report)) {
      clear_suspicion(file);
      return opened;
    }
  }
  report.corrupt_copy = set_aside(file);
  clear_suspicion(file);
  touch_private(file);
  OpenedFile opened{Database(file)};
  if (const auto damage = prepare(opened.database, schema, Check::quick, report))
    throw StoreError(file.string() + " is damaged: " + *damage + ".");
  return opened;
}

}  // namespace parley::storage::sqlite
