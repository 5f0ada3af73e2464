#include "storage/sqlite/background_check.h"

#include <sqlite3.h>

#include <array>
#include <cstdio>
#include <optional>
#include <utility>

#include "storage/sqlite/database_check.h"
#include "storage/sqlite/store_error.h"
#include "storage/sqlite/suspicion.h"

namespace parley::storage::sqlite {

namespace {

constexpr int kPagesOfLog = 1000;  // SQLite's own: a log of more is moved into the file

// As a URI has it, so that no character of a path means anything.
std::string uri_of(const std::filesystem::path& file) {
  std::string uri = "file:";
  for (const char c : std::filesystem::absolute(file).string()) {
    std::array<char, 4> code{};
    std::snprintf(code.data(), code.size(), "%%%02X", static_cast<unsigned>(static_cast<unsigned char>(c)));
    uri += c == '/' ? std::string(1, c) : std::string(code.data());
  }
  // Without locks, which the connection that is used holds, and without a look at its log.
  return uri + "?immutable=1";
}

}  // namespace

BackgroundCheck::BackgroundCheck(Database& database, std::filesystem::path file,
                                 std::function<void(const std::string&)> tell)
    : used_(database.handle()), file_(std::move(file)), tell_(std::move(tell)) {
  sqlite3* raw = nullptr;
  const int flags = SQLITE_OPEN_READONLY | SQLITE_OPEN_URI | SQLITE_OPEN_EXRESCODE;
  const int code = sqlite3_open_v2(uri_of(file_).c_str(), &raw, flags, nullptr);
  own_.reset(raw);
  if (code != SQLITE_OK) throw_store_error(raw, code);
  sqlite3_wal_hook(used_, after_commit, this);
  thread_ = std::thread([this] { run(); });
}

BackgroundCheck::~BackgroundCheck() {
  is_given_up_ = true;
  sqlite3_interrupt(own_.get());
  thread_.join();
  sqlite3_wal_autocheckpoint(used_, kPagesOfLog);  // takes the hook's place
}

// On the connection's thread.
int BackgroundCheck::after_commit(void* check, sqlite3* database, const char* name, int num_pages) {
  if (!static_cast<BackgroundCheck*>(check)->has_ended_ || num_pages < kPagesOfLog) return SQLITE_OK;
  sqlite3_wal_checkpoint_v2(database, name, SQLITE_CHECKPOINT_PASSIVE, nullptr, nullptr);
  return SQLITE_OK;
}

std::string BackgroundCheck::verdict() const {
  const std::optional<std::string> damage = find_damage(own_.get(), Check::quick);
  if (!damage) return "the database " + file_.string() + " was checked and is healthy";
  suspect(file_);
  return "the database " + file_.string() + " is damaged (" + *damage +
         "): some of what it holds may be missing or wrong. Copy what you need, then restart Parley: it "
         "repairs the "
         "file, or "
         "sets it aside and begins a new one";
}

void BackgroundCheck::run() {
  std::string line;
  try {  // the thread's boundary
    line = verdict();
  } catch (const StoreError& error) {
    line = std::string("the database could not be checked: ") + error.what();
  }
  has_ended_ = true;
  if (!is_given_up_ && tell_) tell_(line);
}

}  // namespace parley::storage::sqlite
