#pragma once
// Somebody of the host who listens: on a path, on an abstract name and on a port of loopback.
// One owner; connections are accepted by the kernel's backlog alone.

#include <gtest/gtest.h>
#include <netinet/in.h>
#include <stddef.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstring>
#include <filesystem>
#include <string>

namespace parley::tests {

class Listeners {
 public:
  explicit Listeners(const std::filesystem::path& path)
      : path_(path.string()), abstract_("parley-test-" + std::to_string(::getpid())) {
    sockaddr_un address = {};
    address.sun_family = AF_UNIX;
    std::memcpy(address.sun_path, path_.data(), path_.size());
    listen_on(0, AF_UNIX, &address, sizeof address);
    ::chmod(path_.c_str(), 0777);
    address = {};
    address.sun_family = AF_UNIX;
    std::memcpy(address.sun_path + 1, abstract_.data(), abstract_.size());
    listen_on(1, AF_UNIX, &address, offsetof(sockaddr_un, sun_path) + 1 + abstract_.size());
    sockaddr_in loopback = {};
    loopback.sin_family = AF_INET;
    loopback.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    listen_on(2, AF_INET, &loopback, sizeof loopback);
    socklen_t length = sizeof loopback;
    ::getsockname(sockets_[2], reinterpret_cast<sockaddr*>(&loopback), &length);
    port_ = std::to_string(ntohs(loopback.sin_port));
  }
  ~Listeners() {
    for (const int number : sockets_) ::close(number);
  }
  Listeners(const Listeners&) = delete;
  Listeners& operator=(const Listeners&) = delete;

  const std::string& path() const { return path_; }
  const std::string& abstract() const { return abstract_; }
  const std::string& port() const { return port_; }

 private:
  void listen_on(int index, int family, const void* address, std::size_t length) {
    sockets_[index] = ::socket(family, SOCK_STREAM | SOCK_CLOEXEC, 0);
    EXPECT_EQ(::bind(sockets_[index], static_cast<const sockaddr*>(address), static_cast<socklen_t>(length)),
              0);
    EXPECT_EQ(::listen(sockets_[index], 512), 0);
  }

  std::string path_;
  std::string abstract_;
  std::string port_;
  int sockets_[3] = {-1, -1, -1};
};

}  // namespace parley::tests
