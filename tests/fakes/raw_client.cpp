#include "tests/fakes/raw_client.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdlib>
#include <stdexcept>

namespace parley::tests::fakes {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

int connect_to(const std::string& host, std::uint16_t port) {
  const bool ipv6 = host.find(':') != std::string::npos;
  sockaddr_in6 v6{};
  sockaddr_in v4{};
  v6.sin6_family = AF_INET6;
  v6.sin6_port = htons(port);
  v4.sin_family = AF_INET;
  v4.sin_port = htons(port);
  inet_pton(ipv6 ? AF_INET6 : AF_INET, host.c_str(), ipv6 ? static_cast<void*>(&v6.sin6_addr) : &v4.sin_addr);
  const int fd = ::socket(ipv6 ? AF_INET6 : AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  const auto* address =
      ipv6 ? reinterpret_cast<const sockaddr*>(&v6) : reinterpret_cast<const sockaddr*>(&v4);
  const socklen_t size = ipv6 ? sizeof v6 : sizeof v4;
  if (fd < 0 || ::connect(fd, address, size) != 0) {
    if (fd >= 0) ::close(fd);
    throw std::runtime_error("cannot connect to port " + std::to_string(port));
  }
  const int on = 1;
  setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  return fd;
}

std::string lower(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return std::tolower(c); });
  return text;
}

std::map<std::string, std::string> parse_fields(const std::string& head) {
  std::map<std::string, std::string> fields;
  for (std::size_t begin = head.find("\r\n") + 2; begin < head.size();) {
    const std::size_t end = head.find("\r\n", begin);
    const std::size_t colon = head.find(':', begin);
    if (end == std::string::npos || colon > end) break;
    fields[lower(head.substr(begin, colon - begin))] = head.substr(colon + 2, end - colon - 2);
    begin = end + 2;
  }
  return fields;
}

}  // namespace

RawClient::RawClient(std::uint16_t port, const std::string& host) : socket_(connect_to(host, port)) {}

RawClient::~RawClient() {
  if (socket_ >= 0) ::close(socket_);
}

bool RawClient::send(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t sent = ::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(sent));
  }
  return true;
}

bool RawClient::receive(milliseconds limit) {
  pollfd waiting{socket_, POLLIN, 0};
  if (::poll(&waiting, 1, static_cast<int>(std::max<std::int64_t>(limit.count(), 0))) <= 0) return false;
  std::array<char, 65536> bytes;
  const ssize_t count = ::recv(socket_, bytes.data(), bytes.size(), 0);
  if (count <= 0) return false;
  buffer_.append(bytes.data(), static_cast<std::size_t>(count));
  return true;
}

std::string RawClient::take(std::size_t count) {
  std::string text = buffer_.substr(0, count);
  buffer_.erase(0, count);
  return text;
}

std::string RawClient::read_until(std::string_view mark) {
  std::size_t at;
  while ((at = buffer_.find(mark)) == std::string::npos) {
    if (!receive(patience_)) return take(buffer_.size());
  }
  return take(at + mark.size());
}

std::string RawClient::read_exactly(std::size_t count) {
  while (buffer_.size() < count && receive(patience_)) {
  }
  return take(count);
}

std::string RawClient::read_to_end() {
  while (receive(patience_)) {
  }
  return take(buffer_.size());
}

bool RawClient::is_closed_within(milliseconds limit) {
  const auto end = Clock::now() + limit;
  while (Clock::now() < end) {
    pollfd waiting{socket_, POLLIN, 0};
    const auto left = std::chrono::duration_cast<milliseconds>(end - Clock::now());
    if (::poll(&waiting, 1, static_cast<int>(left.count()) + 1) <= 0) return false;
    std::array<char, 4096> bytes;
    if (::recv(socket_, bytes.data(), bytes.size(), 0) <= 0) return true;
  }
  return false;
}

std::string RawClient::read_chunks() {
  std::string body;
  while (true) {
    const std::string line = read_until("\r\n");
    const std::size_t size = std::strtoull(line.c_str(), nullptr, 16);
    const std::string data = read_exactly(size + 2);
    if (size == 0 || data.size() != size + 2) return body;
    body += data.substr(0, size);
  }
}

HttpAnswer RawClient::read_answer(bool to_head_request) {
  HttpAnswer answer;
  answer.head = read_until("\r\n\r\n");
  if (!answer.head.starts_with("HTTP/1.1 ")) return answer;
  answer.status = std::atoi(answer.head.c_str() + 9);
  answer.fields = parse_fields(answer.head);
  if (to_head_request) return answer;
  if (answer.fields.contains("content-length")) {
    answer.body = read_exactly(std::strtoull(answer.fields["content-length"].c_str(), nullptr, 10));
  } else if (answer.fields.contains("transfer-encoding")) {
    answer.body = read_chunks();
  } else if (answer.status != 304 && answer.status != 204) {
    answer.body = read_to_end();
  }
  return answer;
}

void RawClient::finish_sending() { ::shutdown(socket_, SHUT_WR); }

void RawClient::reset() {
  const linger hard{1, 0};
  setsockopt(socket_, SOL_SOCKET, SO_LINGER, &hard, sizeof hard);
  ::close(socket_);
  socket_ = -1;
}

std::string make_request(std::string_view method, std::string_view target, std::uint16_t port,
                         std::string_view fields, std::string_view body) {
  std::string request(method);
  request.append(" ").append(target).append(" HTTP/1.1\r\nHost: localhost:");
  request.append(std::to_string(port)).append("\r\n").append(fields);
  if (!body.empty()) request.append("Content-Length: ").append(std::to_string(body.size())).append("\r\n");
  return request.append("\r\n").append(body);
}

}  // namespace parley::tests::fakes
