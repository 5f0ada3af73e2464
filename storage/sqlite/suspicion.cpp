#include "storage/sqlite/suspicion.h"

#include <fcntl.h>
#include <unistd.h>

#include <system_error>

namespace parley::storage::sqlite {

namespace {

std::filesystem::path mark_of(std::filesystem::path database) {
  database += ".suspect";
  return database;
}

}  // namespace

void suspect(const std::filesystem::path& database) {
  const int descriptor = ::open(mark_of(database).c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
  if (descriptor < 0) return;
  ::fsync(descriptor);
  ::close(descriptor);
}

bool is_suspected(const std::filesystem::path& database) {
  std::error_code ignored;
  return std::filesystem::exists(mark_of(database), ignored);
}

void clear_suspicion(const std::filesystem::path& database) {
  std::error_code ignored;
  std::filesystem::remove(mark_of(database), ignored);
}

}  // namespace parley::storage::sqlite
