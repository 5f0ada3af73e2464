#pragma once
// Checks a database's file on a thread of its own while its connection is being used. Meanwhile that
// connection writes into its log only, so that the file stays as it is: what has been committed since is safe
// there, and is moved into the file behind the check. Made and destroyed on the connection's thread, which it
// must not outlive; the destructor gives the check up.

#include <atomic>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <thread>

#include "storage/sqlite/sqlite_database.h"

namespace parley::storage::sqlite {

class BackgroundCheck {
 public:
  // `file`: that of the connection; all that is committed is in it. `tell`: on the other thread, a line for
  // people when it is over; a file that is damaged is suspected from then on.
  BackgroundCheck(Database& database, std::filesystem::path file,
                  std::function<void(const std::string&)> tell);
  ~BackgroundCheck();
  BackgroundCheck(const BackgroundCheck&) = delete;
  BackgroundCheck& operator=(const BackgroundCheck&) = delete;

 private:
  static int after_commit(void* check, sqlite3* database, const char* name, int num_pages);
  std::string verdict() const;
  void run();

  sqlite3* const used_;  // the caller's connection
  const std::filesystem::path file_;
  const std::function<void(const std::string&)> tell_;
  std::unique_ptr<sqlite3, CloseDatabase> own_;  // for the check
  std::atomic<bool> has_ended_{false};
  std::atomic<bool> is_given_up_{false};
  std::thread thread_;
};

}  // namespace parley::storage::sqlite
