#include "app/documents/control_socket.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <stdexcept>
#include <string>
#include <system_error>
#include <thread>
#include <variant>

#include "inference/json/json_writer.h"

namespace parley::app::documents {
namespace {

using inference::json::JsonObject;
using inference::json::JsonValue;

constexpr std::size_t kMaxRequestBytes = 64u << 10;
constexpr std::size_t kMaxAnswerBytes = 64u << 20;
constexpr int kBacklog = 16;
constexpr std::chrono::seconds kRequestTime{5};
constexpr std::chrono::minutes kAnswerTime{2};

class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  ~Descriptor() {
    if (number_ >= 0) ::close(number_);
  }
  Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  Descriptor& operator=(Descriptor&&) = delete;
  int number() const { return number_; }

 private:
  int number_;
};

[[noreturn]] void fail(const std::string& what) {
  throw std::system_error(errno, std::generic_category(), what);
}

// Through the folder's descriptor: an address holds 107 bytes, a path many more.
struct SocketPlace {
  explicit SocketPlace(const std::filesystem::path& data_dir)
      : folder(::open(data_dir.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC)) {
    const std::string path = "/proc/self/fd/" + std::to_string(folder.number()) + "/parley.sock";
    address.sun_family = AF_UNIX;
    std::memcpy(address.sun_path, path.c_str(), path.size() + 1);
  }
  const sockaddr* pointer() const { return reinterpret_cast<const sockaddr*>(&address); }

  Descriptor folder;
  sockaddr_un address{};
};

void set_time_limit(int socket, std::chrono::seconds limit) {
  timeval time{};
  time.tv_sec = limit.count();
  ::setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &time, sizeof time);
  ::setsockopt(socket, SOL_SOCKET, SO_SNDTIMEO, &time, sizeof time);
}

// Up to the end of the line; none: it did not come, or is longer than `max`.
std::optional<std::string> read_line(int socket, std::size_t max) {
  std::string line;
  std::array<char, 4096> piece{};
  while (line.size() <= max) {
    const ssize_t size = ::recv(socket, piece.data(), piece.size(), 0);
    if (size < 0 && errno == EINTR) continue;
    if (size <= 0) return std::nullopt;
    line.append(piece.data(), static_cast<std::size_t>(size));
    if (line.back() == '\n') return line;
  }
  return std::nullopt;
}

bool write_all(int socket, std::string_view text) {
  while (!text.empty()) {
    const ssize_t size = ::send(socket, text.data(), text.size(), MSG_NOSIGNAL);
    if (size < 0 && errno == EINTR) continue;
    if (size <= 0) return false;
    text.remove_prefix(static_cast<std::size_t>(size));
  }
  return true;
}

std::optional<JsonObject> parse_object(std::string_view line, std::size_t max_bytes) {
  auto parsed = inference::json::parse_json(line, {max_bytes, 16});
  auto* value = std::get_if<JsonValue>(&parsed);
  if (value == nullptr || !value->is_object()) return std::nullopt;
  return std::move(value->get_object());
}

// The folder is private already; this holds where its mode was changed.
bool is_own_user(int socket) {
  ucred peer{};
  socklen_t size = sizeof peer;
  if (::getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &peer, &size) != 0) return false;
  return peer.uid == ::geteuid() || peer.uid == 0;
}

class LocalControlSocket final : public ControlSocket {
 public:
  LocalControlSocket(const std::filesystem::path& data_dir, DocumentService& service);
  ~LocalControlSocket() override;

 private:
  void run();
  void serve(int connection);

  const std::filesystem::path file_;
  DocumentService& service_;
  const Descriptor listener_;
  const Descriptor end_;
  std::thread thread_;
};

LocalControlSocket::LocalControlSocket(const std::filesystem::path& data_dir, DocumentService& service)
    : file_(data_dir / "parley.sock"),
      service_(service),
      listener_(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0)),
      end_(::eventfd(0, EFD_CLOEXEC)) {
  if (listener_.number() < 0 || end_.number() < 0) fail("the control socket cannot be made");
  ::unlink(file_.c_str());  // of a server that was killed; the folder's lock says that none runs
  const SocketPlace place(data_dir);
  ::fchmod(listener_.number(), 0600);  // before bind, which makes the file with this mode
  const int bound = ::bind(listener_.number(), place.pointer(), sizeof place.address);
  if (bound != 0 || ::listen(listener_.number(), kBacklog) != 0) fail("cannot listen on " + file_.string());
  thread_ = std::thread([this] { run(); });
}

LocalControlSocket::~LocalControlSocket() {
  const std::uint64_t one = 1;
  [[maybe_unused]] const ssize_t written = ::write(end_.number(), &one, sizeof one);
  thread_.join();
  ::unlink(file_.c_str());
}

void LocalControlSocket::run() {
  for (;;) {
    std::array<pollfd, 2> waits{{{listener_.number(), POLLIN, 0}, {end_.number(), POLLIN, 0}}};
    if (::poll(waits.data(), waits.size(), -1) < 0 && errno != EINTR) return;
    if (waits[1].revents != 0) return;
    if (waits[0].revents == 0) continue;
    const Descriptor connection(::accept4(listener_.number(), nullptr, nullptr, SOCK_CLOEXEC));
    if (connection.number() >= 0) serve(connection.number());
  }
}

void LocalControlSocket::serve(int connection) {
  if (!is_own_user(connection)) return;
  set_time_limit(connection, kRequestTime);
  const auto line = read_line(connection, kMaxRequestBytes);
  if (!line) return;
  const auto request = parse_object(*line, kMaxRequestBytes);
  JsonObject answer{{"error", "This is no JSON object."}};
  if (request) answer = service_.answer(*request);
  write_all(connection, inference::json::to_json_text(answer) + "\n");
}

}  // namespace

std::unique_ptr<ControlSocket> open_control_socket(const std::filesystem::path& data_dir,
                                                   DocumentService& service) {
  return std::make_unique<LocalControlSocket>(data_dir, service);
}

std::optional<JsonObject> ask_server(const std::filesystem::path& data_dir, const JsonObject& request) {
  const SocketPlace place(data_dir);
  const Descriptor connection(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  if (connection.number() < 0) fail("a socket cannot be made");
  if (::connect(connection.number(), place.pointer(), sizeof place.address) != 0) {
    if (errno == ENOENT || errno == ECONNREFUSED || errno == ENOTDIR || errno == EBADF) return std::nullopt;
    fail("the server of " + data_dir.string() + " cannot be reached");
  }
  set_time_limit(connection.number(), std::chrono::duration_cast<std::chrono::seconds>(kAnswerTime));
  std::optional<std::string> line;
  if (write_all(connection.number(), inference::json::to_json_text(request) + "\n")) {
    line = read_line(connection.number(), kMaxAnswerBytes);
  }
  auto answer = line ? parse_object(*line, kMaxAnswerBytes) : std::nullopt;
  if (!answer) throw std::runtime_error("the server of " + data_dir.string() + " gave no answer; try again");
  return answer;
}

}  // namespace parley::app::documents
