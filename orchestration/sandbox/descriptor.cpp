#include "orchestration/sandbox/descriptor.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <utility>

namespace parley::orchestration::sandbox {

Descriptor& Descriptor::operator=(Descriptor&& other) noexcept {
  if (this != &other) {
    close();
    number_ = other.release();
  }
  return *this;
}

int Descriptor::release() { return std::exchange(number_, -1); }

void Descriptor::close() {
  const int number = release();
  if (number >= 0) ::close(number);
}

Pipe make_pipe() {
  int ends[2] = {-1, -1};
  if (::pipe2(ends, O_CLOEXEC) != 0) return {};
  return {Descriptor(ends[0]), Descriptor(ends[1])};
}

void make_non_blocking(const Descriptor& descriptor) {
  const int flags = ::fcntl(descriptor.number(), F_GETFL);
  ::fcntl(descriptor.number(), F_SETFL, flags | O_NONBLOCK);
}

Descriptor make_event() { return Descriptor(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)); }

void signal_event(const Descriptor& event) {
  const std::uint64_t one = 1;
  // Fails only when the counter is full, and then the event is signalled already.
  [[maybe_unused]] const ssize_t written = ::write(event.number(), &one, sizeof one);
}

void clear_event(const Descriptor& event) {
  std::uint64_t count = 0;
  [[maybe_unused]] const ssize_t size = ::read(event.number(), &count, sizeof count);
}

Descriptor unsealed_memory_file(const char* name) {
  constexpr unsigned kFlags = MFD_CLOEXEC | MFD_ALLOW_SEALING;
  constexpr unsigned kExecutable = 0x10;  // MFD_EXEC, which kernels before 6.3 do not know (nor need)
  Descriptor file(::memfd_create(name, kFlags | kExecutable));
  if (!file.is_open()) file = Descriptor(::memfd_create(name, kFlags));
  return file;
}

Descriptor memory_file(const char* name, std::string_view bytes) {
  Descriptor file = unsealed_memory_file(name);
  if (!file.is_open()) return file;
  while (!bytes.empty()) {
    const ssize_t written = ::write(file.number(), bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return {};
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  ::fcntl(file.number(), F_ADD_SEALS, F_SEAL_WRITE | F_SEAL_GROW | F_SEAL_SHRINK | F_SEAL_SEAL);
  if (::lseek(file.number(), 0, SEEK_SET) != 0) return {};
  return file;
}

}  // namespace parley::orchestration::sandbox
