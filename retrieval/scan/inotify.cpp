#include "retrieval/scan/inotify.h"

#include <sys/inotify.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

namespace parley::retrieval::scan {
namespace {

constexpr std::uint32_t kWanted = IN_CLOSE_WRITE | IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO |
                                  IN_ATTRIB | IN_DELETE_SELF | IN_MOVE_SELF;
constexpr std::size_t kBufferBytes = std::size_t{64} << 10;

}  // namespace

Inotify::Inotify()
    : descriptor_(::inotify_init1(IN_NONBLOCK | IN_CLOEXEC)), error_(descriptor_ < 0 ? errno : 0) {}

Inotify::~Inotify() {
  if (descriptor_ >= 0) {
    ::close(descriptor_);
  }
}

Inotify::Inotify(Inotify&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)), error_(other.error_) {}

Inotify& Inotify::operator=(Inotify&& other) noexcept {
  std::swap(descriptor_, other.descriptor_);
  std::swap(error_, other.error_);
  return *this;
}

int Inotify::add(const std::string& folder) const {
  const int watch = ::inotify_add_watch(descriptor_, folder.c_str(),
                                        kWanted | IN_ONLYDIR | IN_DONT_FOLLOW | IN_EXCL_UNLINK);
  return watch >= 0 ? watch : -errno;
}

void Inotify::remove(int watch) const {
  ::inotify_rm_watch(descriptor_, watch);  // fails when the folder went already
}

std::vector<FolderEvent> Inotify::read() const {
  std::vector<FolderEvent> events;
  alignas(inotify_event) char buffer[kBufferBytes];
  const ssize_t count = ::read(descriptor_, buffer, sizeof buffer);
  for (ssize_t at = 0; at < count;) {
    inotify_event event{};
    std::memcpy(&event, buffer + at, sizeof event);
    at += static_cast<ssize_t>(sizeof event);
    const char* const name = buffer + at;
    events.push_back({.watch = event.wd,
                      .mask = event.mask,
                      .cookie = event.cookie,
                      .name = std::string(name, ::strnlen(name, event.len))});
    at += event.len;
  }
  return events;
}

}  // namespace parley::retrieval::scan
