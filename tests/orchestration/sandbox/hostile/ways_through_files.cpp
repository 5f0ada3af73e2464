#include <dirent.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/un.h>
#include <unistd.h>

#include "tests/orchestration/sandbox/hostile/ways_out.h"

namespace parley::tests::hostile {

namespace {

using Text = const std::string&;

bool reads(Text path) {
  const int file = open(path.c_str(), O_RDONLY);
  char byte = 0;
  return file >= 0 && read(file, &byte, 1) == 1;
}

bool writes(Text path) {
  const int file = open(path.c_str(), O_WRONLY | O_CREAT, 0600);
  return file >= 0 && write(file, "0", 1) == 1;
}

// The argument is a secret file of the host.
bool reads_by_roots(Text secret) {
  DIR* folder = opendir("/proc");
  while (const dirent* entry = folder != nullptr ? readdir(folder) : nullptr) {
    const std::string base = std::string("/proc/") + entry->d_name;
    if (atoi(entry->d_name) > 0 && (reads(base + "/root" + secret) || reads(base + "/cwd" + secret)))
      return true;
  }
  return false;
}

bool reads_by_descriptors(Text secret) {
  for (int number = 0; number < 256; ++number) {
    if (openat(number, ("." + secret).c_str(), O_RDONLY) >= 0) return true;
    if (openat(number, "../../../../../../etc/shadow", O_RDONLY) >= 0) return true;
  }
  return false;
}

bool reads_by_link(Text secret) {
  if (symlink(secret.c_str(), "/tmp/link") != 0) return false;
  return reads("/tmp/link");
}

bool links_hard(Text secret) { return link(secret.c_str(), "/tmp/hard") == 0; }

bool makes_device(Text) {
  return mknod("/tmp/device", S_IFBLK | 0600, makedev(254, 0)) == 0 ||
         mknod("/tmp/mem", S_IFCHR | 0600, makedev(1, 1)) == 0;
}

bool opens_devices(Text) {
  for (const char* path : {"/dev/mem", "/dev/kmsg", "/dev/vda", "/dev/sda", "/dev/kvm", "/dev/fuse",
                           "/dev/net/tun", "/proc/kcore", "/dev/loop-control"}) {
    if (open(path, O_RDONLY) >= 0) return true;
  }
  return false;
}

bool inherits_descriptors(Text) {
  for (int number = 3; number < 1024; ++number) {
    if (fcntl(number, F_GETFD) >= 0) return true;
  }
  return false;
}

bool connects(int family, const void* address, std::size_t length) {
  const int socket_number = socket(family, SOCK_STREAM, 0);
  return connect(socket_number, static_cast<const sockaddr*>(address), static_cast<socklen_t>(length)) == 0;
}

// The argument is a name somebody listens on: a path, or abstract.
bool connects_to_path(Text path) {
  sockaddr_un address = {};
  address.sun_family = AF_UNIX;
  strncpy(address.sun_path, path.c_str(), sizeof address.sun_path - 1);
  return connects(AF_UNIX, &address, sizeof address);
}

bool connects_to_abstract(Text name) {
  sockaddr_un address = {};
  address.sun_family = AF_UNIX;
  memcpy(address.sun_path + 1, name.data(), name.size());
  return connects(AF_UNIX, &address, offsetof(sockaddr_un, sun_path) + 1 + name.size());
}

bool connects_to_port(Text port) {
  sockaddr_in address = {};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<std::uint16_t>(atoi(port.c_str())));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return connects(AF_INET, &address, sizeof address);
}

bool sends_outside(Text) {
  sockaddr_in address = {};
  address.sin_family = AF_INET;
  address.sin_port = htons(53);
  address.sin_addr.s_addr = htonl(0xC0000201);  // 192.0.2.1, a documentation address
  const int socket_number = socket(AF_INET, SOCK_DGRAM, 0);
  return sendto(socket_number, "x", 1, 0, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 1;
}

}  // namespace

std::vector<WayOut> ways_through_files() {
  return {
      {"read_shadow", [](Text) { return reads("/etc/shadow"); }},
      {"read_secret", [](Text secret) { return reads(secret); }},
      {"read_secret_by_roots", reads_by_roots},
      {"read_secret_by_descriptors", reads_by_descriptors},
      {"read_secret_by_link", reads_by_link},
      {"hard_link_secret", links_hard},
      {"write_secret", [](Text secret) { return writes(secret); }},
      {"write_usr", [](Text) { return writes("/usr/planted"); }},
      {"write_root", [](Text) { return writes("/planted"); }},
      {"write_etc", [](Text) { return writes("/etc/planted") || writes("/etc/passwd"); }},
      {"write_dev", [](Text) { return writes("/dev/planted"); }},
      {"write_core_pattern", [](Text) { return writes("/proc/sys/kernel/core_pattern"); }},
      {"write_sysctl",
       [](Text) { return writes("/proc/sys/vm/drop_caches") || writes("/proc/sys/kernel/hostname"); }},
      {"write_net_sysctl", [](Text) { return writes("/proc/sys/net/ipv4/ip_forward"); }},
      {"sysrq", [](Text) { return writes("/proc/sysrq-trigger"); }},
      {"see_sys", [](Text) { return opendir("/sys/fs") != nullptr || opendir("/sys/class") != nullptr; }},
      {"see_run", [](Text) { return opendir("/run") != nullptr || opendir("/var/run") != nullptr; }},
      {"see_homes", [](Text) { return opendir("/root") != nullptr || opendir("/var") != nullptr; }},
      {"make_device", makes_device},
      {"open_devices", opens_devices},
      {"inherited_descriptors", inherits_descriptors},
      {"connect_to_path", connects_to_path},
      {"connect_to_abstract", connects_to_abstract},
      {"connect_to_port", connects_to_port},
      {"send_outside", sends_outside},
  };
}

}  // namespace parley::tests::hostile
