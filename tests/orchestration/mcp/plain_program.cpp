#include "tests/orchestration/mcp/plain_program.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace parley::orchestration::mcp {
namespace {

// Lines of a descriptor until its end.
template <typename OnLine>
void read_lines(int descriptor, const OnLine& on_line) {
  std::string rest;
  std::array<char, 4096> buffer{};
  for (;;) {
    const ssize_t size = ::read(descriptor, buffer.data(), buffer.size());
    if (size <= 0) return;
    rest.append(buffer.data(), static_cast<std::size_t>(size));
    std::size_t begin = 0;
    for (std::size_t end = rest.find('\n'); end != std::string::npos; end = rest.find('\n', begin)) {
      on_line(std::string_view(rest).substr(begin, end - begin));
      begin = end + 1;
    }
    rest.erase(0, begin);
  }
}

std::vector<char*> pointers(std::vector<std::string>& words) {
  std::vector<char*> list;
  for (std::string& word : words) list.push_back(word.data());
  list.push_back(nullptr);
  return list;
}

class PlainProgram final : public sandbox::PipedProgram {
 public:
  PlainProgram(const sandbox::Program& program, sandbox::PipedHandlers handlers)
      : handlers_(std::move(handlers)) {
    std::array<std::array<int, 2>, 3> pipes{};
    for (auto& pipe : pipes) {
      if (::pipe2(pipe.data(), O_CLOEXEC) != 0) throw std::runtime_error("pipe");
    }
    std::vector<std::string> argv = program.argv;
    std::vector<std::string> environment;
    for (const auto& [name, value] : program.environment) environment.push_back(name + "=" + value);
    const std::vector<char*> argv_pointers = pointers(argv);
    const std::vector<char*> environment_pointers = pointers(environment);
    child_ = ::fork();
    if (child_ == 0) {
      ::setpgid(0, 0);
      ::dup2(pipes[0][0], 0);
      ::dup2(pipes[1][1], 1);
      ::dup2(pipes[2][1], 2);
      ::execvpe(argv_pointers[0], argv_pointers.data(), environment_pointers.data());
      ::_exit(127);
    }
    ::close(pipes[0][0]);
    ::close(pipes[1][1]);
    ::close(pipes[2][1]);
    input_ = pipes[0][1];
    errors_ = std::thread([this, fd = pipes[2][0]] {
      read_lines(fd, [this](std::string_view line) { locked([&] { handlers_.on_error_line(line); }); });
      ::close(fd);
    });
    lines_ = std::thread([this, fd = pipes[1][0]] {
      read_lines(fd, [this](std::string_view line) { locked([&] { handlers_.on_line(line); }); });
      ::close(fd);
      wait_for_child();
    });
  }

  ~PlainProgram() override {
    {
      const std::lock_guard lock(mutex_);
      ::close(input_);
      input_ = -1;
    }
    std::thread killer([this] { kill_when_late(); });
    lines_.join();
    killer.join();
    errors_.join();
  }

  bool write_line(std::string_view line) override {
    const std::lock_guard lock(mutex_);
    if (input_ < 0 || ended_) return false;
    const std::string text = std::string(line) + "\n";
    return ::write(input_, text.data(), text.size()) == static_cast<ssize_t>(text.size());
  }

 private:
  template <typename Work>
  void locked(const Work& work) {
    const std::lock_guard lock(handling_);
    work();
  }

  void wait_for_child() {
    int status = 0;
    ::waitpid(child_, &status, 0);
    {
      const std::lock_guard lock(mutex_);
      ended_ = true;
    }
    const std::string reason = WIFEXITED(status)
                                   ? "exited with status " + std::to_string(WEXITSTATUS(status))
                                   : "ended by signal " + std::to_string(WTERMSIG(status));
    errors_.joinable();
    locked([&] { handlers_.on_end(reason); });
  }

  void kill_when_late() {
    for (int i = 0; i < 100; ++i) {
      {
        const std::lock_guard lock(mutex_);
        if (ended_) return;
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    ::kill(-child_, SIGKILL);
  }

  const sandbox::PipedHandlers handlers_;
  pid_t child_ = -1;
  std::mutex handling_;
  std::mutex mutex_;
  int input_ = -1;
  bool ended_ = false;
  std::thread errors_;
  std::thread lines_;
};

}  // namespace

std::unique_ptr<sandbox::PipedProgram> start_plain_program(const sandbox::Program& program,
                                                           sandbox::PipedHandlers handlers,
                                                           const sandbox::PipedLimits&) {
  ::signal(SIGPIPE, SIG_IGN);
  return std::make_unique<PlainProgram>(program, std::move(handlers));
}

}  // namespace parley::orchestration::mcp
