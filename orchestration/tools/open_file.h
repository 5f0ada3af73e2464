#pragma once
// A file descriptor that closes itself. Move is not needed, copying is not possible. Any one thread.

#include <unistd.h>

#include <cerrno>
#include <string>
#include <system_error>

namespace parley::orchestration::tools {

class OpenFile {
 public:
  explicit OpenFile(int number) : number_(number) {}
  ~OpenFile() {
    if (number_ >= 0) ::close(number_);
  }
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;
  int number() const { return number_; }  // negative: it could not be opened

 private:
  int number_;
};

// What errno says.
inline std::string last_error_words() { return std::error_code(errno, std::generic_category()).message(); }

}  // namespace parley::orchestration::tools
