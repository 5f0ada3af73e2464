#include "retrieval/documents/worker_process.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/wait.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <functional>
#include <stdexcept>

namespace parley::retrieval::documents {

namespace {

using std::chrono::steady_clock;

class SpawnSettings {
 public:
  explicit SpawnSettings(int socket) {
    posix_spawn_file_actions_init(&actions_);
    // First, since the numbers below may be the socket's.
    posix_spawn_file_actions_adddup2(&actions_, socket, kWorkerSocket);
    for (const int number : {0, 1, 2}) {
      posix_spawn_file_actions_addopen(&actions_, number, "/dev/null", number == 0 ? O_RDONLY : O_WRONLY, 0);
    }
    posix_spawn_file_actions_addclosefrom_np(&actions_, kWorkerSocket + 1);
    posix_spawnattr_init(&attributes_);
    sigset_t none, all;
    sigemptyset(&none);
    sigfillset(&all);
    posix_spawnattr_setsigmask(&attributes_, &none);
    posix_spawnattr_setsigdefault(&attributes_, &all);
    posix_spawnattr_setpgroup(&attributes_, 0);
    posix_spawnattr_setflags(&attributes_,
                             POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);
  }
  ~SpawnSettings() {
    posix_spawn_file_actions_destroy(&actions_);
    posix_spawnattr_destroy(&attributes_);
  }
  SpawnSettings(const SpawnSettings&) = delete;
  SpawnSettings& operator=(const SpawnSettings&) = delete;

  const posix_spawn_file_actions_t* actions() const { return &actions_; }
  const posix_spawnattr_t* attributes() const { return &attributes_; }

 private:
  posix_spawn_file_actions_t actions_ = {};
  posix_spawnattr_t attributes_ = {};
};

pid_t start(const std::string& program, int socket) {
  const SpawnSettings settings(socket);
  char name[] = "parley-documents", locale[] = "LC_ALL=C.UTF-8";
  char* const arguments[] = {name, nullptr};
  char* const environment[] = {locale, nullptr};
  pid_t pid = -1;
  const int error =
      posix_spawn(&pid, program.c_str(), settings.actions(), settings.attributes(), arguments, environment);
  if (error != 0) {
    throw std::runtime_error("The program that reads documents, " + program +
                             ", cannot be started: " + std::strerror(error) + ".");
  }
  return pid;
}

int milliseconds_until(steady_clock::time_point deadline) {
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - steady_clock::now()).count();
  return static_cast<int>(std::clamp<std::int64_t>(left, 0, 3'600'000));
}

}  // namespace

WorkerProcess::WorkerProcess(const std::filesystem::path& program, const WorkerHello& hello) {
  int ends[2] = {-1, -1};
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) {
    throw std::runtime_error(std::string("No socket for the program that reads documents: ") +
                             std::strerror(errno) + ".");
  }
  socket_ = OwnedDescriptor(ends[0]);
  {
    const OwnedDescriptor theirs(ends[1]);  // closed here, so that its end is seen
    pid_ = start(program.string(), theirs.number());
  }
  try {
    greet(hello);
  } catch (...) {
    end();
    throw;
  }
}

WorkerProcess::~WorkerProcess() { end(); }

void WorkerProcess::greet(const WorkerHello& hello) {
  constexpr std::chrono::seconds kToStart{20};
  std::string answer;
  const bool greeted = send_message(socket_.number(), encoded_hello(hello));
  const bool whole =
      greeted && receive(answer, kMaxWorkerName, steady_clock::now() + kToStart, {}) == Answer::whole;
  if (whole && answer == kWorkerReady) return;
  throw std::runtime_error("The program that reads documents does not start as it should" +
                           (answer.empty() ? "." : ": " + answer.substr(0, answer.find('\0'))));
}

bool WorkerProcess::is_alive() const {
  siginfo_t info = {};
  if (pid_ <= 0) return false;
  return ::waitid(P_PID, static_cast<id_t>(pid_), &info, WEXITED | WNOHANG | WNOWAIT) == 0 &&
         info.si_pid == 0;
}

bool WorkerProcess::send(const std::string& name, int descriptor) {
  return send_message(socket_.number(), std::string_view(name).substr(0, kMaxWorkerName), descriptor);
}

WorkerProcess::Answer WorkerProcess::receive(std::string& message, std::size_t longest,
                                             steady_clock::time_point deadline, const std::stop_token& stop) {
  const OwnedDescriptor wake(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
  const std::stop_callback on_stop(stop, [&wake] {
    const std::uint64_t one = 1;
    (void)!::write(wake.number(), &one, sizeof one);
  });
  message.clear();
  std::uint64_t size = 0;
  std::size_t received = 0;  // the size's own bytes included
  for (;;) {
    pollfd waiting[] = {{socket_.number(), POLLIN, 0}, {wake.number(), POLLIN, 0}};
    const int ready = ::poll(waiting, 2, milliseconds_until(deadline));
    if (stop.stop_requested()) return Answer::stopped;
    if (ready < 0 && errno == EINTR) continue;
    if (ready <= 0) return Answer::late;
    if (waiting[0].revents == 0) continue;
    char* into = reinterpret_cast<char*>(&size) + received;
    std::size_t room = sizeof size - std::min(received, sizeof size);
    if (room == 0) {
      constexpr std::size_t kPiece = 1 << 20;
      room = std::min<std::size_t>(kPiece, size + sizeof size - received);
      message.resize(received - sizeof size + room);
      into = message.data() + (received - sizeof size);
    }
    const ssize_t count = ::recv(socket_.number(), into, room, MSG_DONTWAIT);
    if (count < 0 && (errno == EINTR || errno == EAGAIN)) continue;
    if (count <= 0) return Answer::gone;
    received += static_cast<std::size_t>(count);
    if (received < sizeof size) continue;
    if (size > longest) return Answer::too_long;
    message.resize(received - sizeof size);
    if (received - sizeof size == size) return Answer::whole;
  }
}

std::size_t WorkerProcess::resident_bytes() const {
  std::ifstream file("/proc/" + std::to_string(pid_) + "/statm");
  std::size_t total = 0, resident = 0;
  file >> total >> resident;
  return resident * static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
}

int WorkerProcess::end() {
  if (pid_ <= 0) return 0;
  // What killed it itself stays its status: the signal sent here changes nothing then.
  socket_.reset();
  siginfo_t info = {};
  const bool ended =
      ::waitid(P_PID, static_cast<id_t>(pid_), &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_pid != 0;
  ::kill(-pid_, SIGKILL);
  int status = 0;
  while (::waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
  }
  pid_ = -1;
  const int signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
  return ended || signal != SIGKILL ? signal : 0;
}

}  // namespace parley::retrieval::documents
