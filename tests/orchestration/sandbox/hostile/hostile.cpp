// Twelve programs that nobody should have to run: hostile NAME [WHERE…]. What each does is its function's
// name; what it got away with is printed.

#include <fcntl.h>
#include <netinet/in.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstring>
#include <string>
#include <string_view>
#include <vector>

namespace {

using Words = std::vector<std::string>;

[[noreturn]] void sleep_for_ever() {
  for (;;) pause();
}

void say(const std::string& text) {
  printf("%s\n", text.c_str());
  fflush(stdout);
}

void fork_bomb(const Words&) {
  for (;;) fork();
}

// The grandchild has another session, another group, no parent, and ignores what can be ignored.
void leaves_a_daemon(const Words&) {
  if (fork() == 0) {
    setsid();
    if (fork() == 0) {
      for (const int number : {SIGTERM, SIGHUP, SIGINT}) signal(number, SIG_IGN);
      sleep_for_ever();
    }
    _exit(0);
  }
  usleep(20000);
}

void ignores_term(const Words&) {
  for (const int number : {SIGTERM, SIGHUP, SIGINT}) signal(number, SIG_IGN);
  sleep_for_ever();
}

void never_stops_writing(const Words&) {
  const std::string piece(65536, 'x');
  for (;;) {
    if (write(STDOUT_FILENO, piece.data(), piece.size()) < 0) _exit(1);
    if (write(STDERR_FILENO, piece.data(), piece.size()) < 0) _exit(1);
  }
}

void closes_its_output(const Words&) {
  for (const int stream : {0, 1, 2}) close(stream);
  sleep_for_ever();
}

void fills_the_disk(const Words& folders) {
  signal(SIGXFSZ, SIG_IGN);
  const std::string piece(1 << 20, 'x');
  for (const std::string& folder : folders) {
    std::size_t written = 0;
    for (int file_number = 0; file_number < 300; ++file_number) {
      const int file =
          open((folder + "/fill" + std::to_string(file_number)).c_str(), O_CREAT | O_WRONLY, 0600);
      ssize_t size = 0;
      while (file >= 0 && (size = write(file, piece.data(), piece.size())) > 0)
        written += static_cast<std::size_t>(size);
      if (file < 0 || written == 0) break;
      close(file);
    }
    say(folder + " took " + std::to_string(written >> 20));
  }
}

void reads_passwords(const Words&) {
  for (const char* path :
       {"/etc/shadow", "/proc/1/root/etc/shadow", "/proc/self/root/etc/shadow", "/etc/gshadow"}) {
    if (FILE* file = fopen(path, "r")) say(std::string("READ ") + path), fclose(file);
  }
}

void writes_home(const Words& folders) {
  for (const std::string& folder : folders) {
    const int file = open((folder + "/planted").c_str(), O_CREAT | O_WRONLY, 0600);
    if (file >= 0) say("WROTE " + folder);
    if (rename((folder + "/kept").c_str(), (folder + "/gone").c_str()) == 0) say("RENAMED in " + folder);
    if (unlink((folder + "/kept").c_str()) == 0) say("REMOVED in " + folder);
  }
}

bool connects_to_unix(const std::string& name, bool abstract) {
  sockaddr_un address = {};
  address.sun_family = AF_UNIX;
  memcpy(address.sun_path + (abstract ? 1 : 0), name.data(), name.size());
  const auto length = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + name.size() + 1);
  const int socket_number = socket(AF_UNIX, SOCK_STREAM, 0);
  return connect(socket_number, reinterpret_cast<const sockaddr*>(&address), length) == 0;
}

bool connects_to_port(int port) {
  sockaddr_in address = {};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  const int socket_number = socket(AF_INET, SOCK_STREAM, 0);
  return connect(socket_number, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
}

// PATH ABSTRACT PORT, where somebody listens outside.
void opens_sockets(const Words& places) {
  if (connects_to_unix(places.at(0), false)) say("CONNECTED to a path");
  if (connects_to_unix(places.at(1), true)) say("CONNECTED to an abstract name");
  if (connects_to_port(atoi(places.at(2).c_str()))) say("CONNECTED to a port");
}

void writes_one_line(const Words&) {
  const std::string piece(1 << 20, '\xff');
  for (int i = 0; i < 16; ++i) {
    if (write(STDOUT_FILENO, piece.data(), piece.size()) < 0) _exit(1);
    if (write(STDERR_FILENO, piece.data(), piece.size()) < 0) _exit(1);
  }
}

void dies_of_a_signal(const Words&) { raise(SIGSEGV); }

void sleeps(const Words&) { sleep_for_ever(); }

struct Mode {
  std::string_view name;
  void (*run)(const Words&);
};

constexpr Mode kModes[] = {{"fork_bomb", fork_bomb},
                           {"leaves_a_daemon", leaves_a_daemon},
                           {"ignores_term", ignores_term},
                           {"never_stops_writing", never_stops_writing},
                           {"closes_its_output", closes_its_output},
                           {"fills_the_disk", fills_the_disk},
                           {"reads_passwords", reads_passwords},
                           {"writes_home", writes_home},
                           {"opens_sockets", opens_sockets},
                           {"writes_one_line", writes_one_line},
                           {"dies_of_a_signal", dies_of_a_signal},
                           {"sleeps", sleeps}};

}  // namespace

int main(int argc, char** argv) {
  for (const Mode& mode : kModes) {
    if (argc > 1 && mode.name == argv[1]) {
      mode.run(Words(argv + 2, argv + argc));
      return 0;
    }
  }
  return 64;
}
