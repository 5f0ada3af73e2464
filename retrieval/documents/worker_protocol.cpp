#include "retrieval/documents/worker_protocol.h"

#include <errno.h>
#include <sys/socket.h>

#include <algorithm>
#include <cstring>

#include "retrieval/documents/byte_codec.h"

namespace parley::retrieval::documents {

namespace {

constexpr std::uint64_t kAny = ~std::uint64_t{0} >> 1;

// The descriptor goes with the first byte.
ssize_t send_some(int socket, std::string_view bytes, int descriptor) {
  iovec piece = {const_cast<char*>(bytes.data()), bytes.size()};
  alignas(cmsghdr) char control[CMSG_SPACE(sizeof descriptor)] = {};
  msghdr message = {};
  message.msg_iov = &piece;
  message.msg_iovlen = 1;
  if (descriptor >= 0) {
    message.msg_control = control;
    message.msg_controllen = sizeof control;
    cmsghdr* header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(sizeof descriptor);
    std::memcpy(CMSG_DATA(header), &descriptor, sizeof descriptor);
  }
  ssize_t sent = -1;
  do {
    sent = ::sendmsg(socket, &message, MSG_NOSIGNAL);
  } while (sent < 0 && errno == EINTR);
  return sent;
}

// More descriptors than the one that is asked for are closed.
void keep_descriptors(msghdr& message, OwnedDescriptor* kept) {
  for (cmsghdr* header = CMSG_FIRSTHDR(&message); header != nullptr; header = CMSG_NXTHDR(&message, header)) {
    if (header->cmsg_level != SOL_SOCKET || header->cmsg_type != SCM_RIGHTS) continue;
    for (std::size_t at = 0; CMSG_LEN(at + sizeof(int)) <= header->cmsg_len; at += sizeof(int)) {
      int number = -1;
      std::memcpy(&number, CMSG_DATA(header) + at, sizeof number);
      OwnedDescriptor owned(number);
      if (kept != nullptr && !kept->is_open()) *kept = std::move(owned);
    }
  }
}

ssize_t receive_some(int socket, char* into, std::size_t count, OwnedDescriptor* descriptor) {
  iovec piece = {into, count};
  alignas(cmsghdr) char control[CMSG_SPACE(4 * sizeof(int))] = {};
  msghdr message = {};
  message.msg_iov = &piece;
  message.msg_iovlen = 1;
  message.msg_control = control;
  message.msg_controllen = sizeof control;
  ssize_t received = -1;
  do {
    received = ::recvmsg(socket, &message, MSG_CMSG_CLOEXEC);
  } while (received < 0 && errno == EINTR);
  if (received > 0) keep_descriptors(message, descriptor);
  return received;
}

bool receive_exactly(int socket, char* into, std::size_t count, OwnedDescriptor* descriptor) {
  while (count > 0) {
    const ssize_t received = receive_some(socket, into, count, descriptor);
    if (received <= 0) return false;
    into += received;
    count -= static_cast<std::size_t>(received);
  }
  return true;
}

}  // namespace

std::string encoded_hello(const WorkerHello& hello) {
  ByteWriter out;
  const ReadLimits& limits = hello.limits;
  for (const std::uint64_t value :
       {std::uint64_t{limits.max_file_bytes}, std::uint64_t{limits.max_inflated_bytes},
        std::uint64_t{limits.max_inflation_ratio}, static_cast<std::uint64_t>(limits.max_archive_entries),
        static_cast<std::uint64_t>(limits.max_nesting), static_cast<std::uint64_t>(limits.max_pages),
        std::uint64_t{limits.max_text_bytes}, std::uint64_t{limits.max_blocks},
        static_cast<std::uint64_t>(limits.max_depth), hello.memory_bytes, hello.seconds_a_file,
        hello.max_files}) {
    out.put(value);
  }
  return out.take();
}

std::optional<WorkerHello> decoded_hello(std::string_view bytes) {
  constexpr std::uint64_t kAnyInt = 0x7FFFFFFF;
  ByteReader in(bytes);
  WorkerHello hello;
  hello.limits.max_file_bytes = in.get(kAny);
  hello.limits.max_inflated_bytes = in.get(kAny);
  hello.limits.max_inflation_ratio = in.get(kAny);
  hello.limits.max_archive_entries = static_cast<int>(in.get(kAnyInt));
  hello.limits.max_nesting = static_cast<int>(in.get(kAnyInt));
  hello.limits.max_pages = static_cast<int>(in.get(kAnyInt));
  hello.limits.max_text_bytes = in.get(kAny);
  hello.limits.max_blocks = in.get(kAny);
  hello.limits.max_depth = static_cast<int>(in.get(kAnyInt));
  hello.memory_bytes = in.get(kAny);
  hello.seconds_a_file = in.get(kAny);
  hello.max_files = in.get(kAny);
  if (in.failed() || in.remaining() > 0) return std::nullopt;
  return hello;
}

bool send_message(int socket, std::string_view message, int descriptor) {
  const std::uint64_t size = message.size();
  std::string bytes(sizeof size, '\0');
  std::memcpy(bytes.data(), &size, sizeof size);
  // The size and the beginning go together; a long message is not copied for that.
  constexpr std::size_t kTogether = 4096;
  bytes += message.substr(0, kTogether);
  message.remove_prefix(std::min(message.size(), kTogether));
  for (std::string_view rest = bytes; !rest.empty() || !message.empty();) {
    if (rest.empty()) std::swap(rest, message);
    const ssize_t sent = send_some(socket, rest, descriptor);
    if (sent <= 0) return false;
    rest.remove_prefix(static_cast<std::size_t>(sent));
    descriptor = -1;
  }
  return true;
}

bool receive_message(int socket, std::string& message, std::size_t longest, OwnedDescriptor* descriptor) {
  std::uint64_t size = 0;
  char raw[sizeof size];
  if (!receive_exactly(socket, raw, sizeof raw, descriptor)) return false;
  std::memcpy(&size, raw, sizeof size);
  if (size > longest) return false;
  message.clear();
  // Grows with what arrives, not with what is announced.
  constexpr std::size_t kPiece = 1 << 20;
  while (message.size() < size) {
    const std::size_t begin = message.size();
    const std::size_t count = std::min<std::size_t>(kPiece, size - begin);
    message.resize(begin + count);
    if (!receive_exactly(socket, message.data() + begin, count, descriptor)) return false;
  }
  return true;
}

}  // namespace parley::retrieval::documents
