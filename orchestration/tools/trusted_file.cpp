#include "orchestration/tools/trusted_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

#include "orchestration/sandbox/descriptor.h"
#include "orchestration/tools/last_error.h"

namespace parley::orchestration::tools {
namespace {

std::string kind_problem(const std::string& shown, const struct stat& status) {
  return S_ISREG(status.st_mode) ? "" : shown + " is no regular file";
}

std::string trust_problem(const std::string& shown, const struct stat& status) {
  if (std::string problem = kind_problem(shown, status); !problem.empty()) return problem;
  if ((status.st_mode & (S_IWGRP | S_IWOTH)) != 0) {
    return shown + " can be changed by other users, and it decides what runs here; run: chmod go-w " + shown;
  }
  if (status.st_uid != ::geteuid() && status.st_uid != 0) {
    return shown + " belongs to another user, and it decides what runs here; run: chown " +
           std::to_string(::geteuid()) + ' ' + shown;
  }
  return {};
}

TrustedFile read_all(int descriptor, const std::string& shown, std::size_t max_bytes) {
  TrustedFile file;
  file.bytes.resize(max_bytes + 1);
  std::size_t size = 0;
  while (size < file.bytes.size()) {
    const ssize_t got = ::read(descriptor, file.bytes.data() + size, file.bytes.size() - size);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return {.bytes = {}, .problem = shown + " cannot be read (" + last_error_words() + ")"};
    if (got == 0) break;
    size += static_cast<std::size_t>(got);
  }
  if (size > max_bytes) {
    return {.bytes = {}, .problem = shown + " is larger than " + std::to_string(max_bytes) + " bytes"};
  }
  file.bytes.resize(size);
  return file;
}

using Judge = std::string (*)(const std::string& shown, const struct stat& status);

TrustedFile read_judged(const std::filesystem::path& path, std::size_t max_bytes, Judge judge) {
  const std::string shown = path.string();
  // NONBLOCK: a named pipe would wait for a writer.
  const sandbox::Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (file.number() < 0) {
    return {.bytes = {},
            .problem =
                shown + " cannot be read (" + last_error_words() + "); check the path and its permissions"};
  }
  struct stat status {};
  if (::fstat(file.number(), &status) != 0) {
    return {.bytes = {}, .problem = shown + " cannot be read (" + last_error_words() + ")"};
  }
  if (std::string problem = judge(shown, status); !problem.empty()) {
    return {.bytes = {}, .problem = std::move(problem)};
  }
  return read_all(file.number(), shown, max_bytes);
}

}  // namespace

TrustedFile read_trusted_file(const std::filesystem::path& path, std::size_t max_bytes) {
  return read_judged(path, max_bytes, trust_problem);
}

TrustedFile read_regular_file(const std::filesystem::path& path, std::size_t max_bytes) {
  return read_judged(path, max_bytes, kind_problem);
}

}  // namespace parley::orchestration::tools
