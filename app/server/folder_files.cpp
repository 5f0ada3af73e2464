#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <functional>
#include <stdexcept>
#include <string_view>
#include <utility>

#include <boost/asio/thread_pool.hpp>

#include "app/server/static_files.h"
#include "orchestration/turn/run_blocking.h"

namespace parley::app::server {
namespace {

namespace asio = boost::asio;

constexpr std::size_t kMaxFileBytes = 32u << 20;

// Owns an open file descriptor.
class Descriptor {
 public:
  explicit Descriptor(int fd = -1) : fd_(fd) {}
  ~Descriptor() {
    if (fd_ >= 0) ::close(fd_);
  }
  Descriptor(Descriptor&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(fd_, other.fd_);
    return *this;
  }
  int get() const { return fd_; }
  bool valid() const { return fd_ >= 0; }

 private:
  int fd_;
};

// Names are opened one by one below the folder, never joined to a path, and no symbolic link is followed: so
// nothing outside the folder can be reached.
Descriptor open_beneath(int folder, std::string_view path) {
  Descriptor at(::openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  while (at.valid() && !path.empty()) {
    path.remove_prefix(1);  // the '/'
    const std::size_t end = std::min(path.find('/'), path.size());
    const std::string name(path.substr(0, end));
    path.remove_prefix(end);
    if (name.empty() || name == "." || name == ".." || name.find('\0') != std::string::npos)
      return Descriptor();
    const int kind = path.empty() ? O_NONBLOCK : O_DIRECTORY;  // a FIFO must not hold us
    at = Descriptor(::openat(at.get(), name.c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC | kind));
  }
  return at;
}

std::optional<std::string> read_file(int fd) {
  struct stat about {};
  if (::fstat(fd, &about) != 0 || !S_ISREG(about.st_mode)) return std::nullopt;
  if (about.st_size < 0 || static_cast<std::size_t>(about.st_size) > kMaxFileBytes) return std::nullopt;
  std::string bytes(static_cast<std::size_t>(about.st_size), '\0');
  std::size_t filled = 0;
  while (filled < bytes.size()) {
    const ssize_t count = ::read(fd, bytes.data() + filled, bytes.size() - filled);
    if (count <= 0) break;
    filled += static_cast<std::size_t>(count);
  }
  bytes.resize(filled);
  return bytes;
}

class FolderFiles : public StaticFiles {
 public:
  explicit FolderFiles(Descriptor folder) : folder_(std::move(folder)) {}

  asio::awaitable<std::optional<StaticFile>> find(std::string path) const override {
    auto work = [this, &path] { return read(path); };
    co_return co_await orchestration::turn::run_blocking(reader_, work);
  }

 private:
  std::optional<StaticFile> read(std::string_view path) const {
    if (!path.starts_with('/')) return std::nullopt;
    const Descriptor file = open_beneath(folder_.get(), path);
    auto bytes = file.valid() ? read_file(file.get()) : std::nullopt;
    if (!bytes) return std::nullopt;
    StaticFile found;
    found.hash = std::to_string(std::hash<std::string>()(*bytes));
    found.bytes = std::move(*bytes);
    return found;
  }

  Descriptor folder_;
  mutable asio::thread_pool reader_{1};
};

}  // namespace

std::unique_ptr<StaticFiles> make_folder_files(const std::filesystem::path& folder) {
  Descriptor opened(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!opened.valid()) {
    throw std::runtime_error("Cannot open the UI's folder " + folder.string() + ": " + std::strerror(errno) +
                             ". Correct ui_dir, or leave it out for the built-in UI.");
  }
  return std::make_unique<FolderFiles>(std::move(opened));
}

}  // namespace parley::app::server
