#include "orchestration/sandbox/launch.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <system_error>
#include <utility>

#include "orchestration/sandbox/keeper_image.h"
#include "orchestration/sandbox/paths.h"
#include "orchestration/sandbox/plan_bytes.h"
#include "orchestration/sandbox/program_check.h"
#include "orchestration/sandbox/seccomp_filter.h"

namespace parley::orchestration::sandbox {

namespace {

constexpr int kAboveTargets = 64;  // the keeper's descriptors, 0 and up, lie below

std::string error_text(int error) { return std::generic_category().message(error); }

// The keeper's side: sources in the order of its descriptors.
class KeeperSpawn {
 public:
  // Lifted, so that no source is overwritten while sources become targets.
  bool pass(const Descriptor& source) {
    Descriptor lifted(::fcntl(source.number(), F_DUPFD_CLOEXEC, kAboveTargets));
    if (!lifted.is_open()) return false;
    sources_.push_back(std::move(lifted));
    return true;
  }

  // An errno, or 0.
  int spawn(pid_t& pid) const {
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    for (std::size_t target = 0; target < sources_.size(); ++target) {
      posix_spawn_file_actions_adddup2(&actions, sources_[target].number(), static_cast<int>(target));
    }
    posix_spawn_file_actions_addclosefrom_np(&actions, static_cast<int>(sources_.size()));
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    set_signals(attributes);
    const std::string path = "/proc/self/fd/" + std::to_string(keeper_descriptor);
    std::string name = "parley-keeper";
    const std::array<char*, 2> arguments = {name.data(), nullptr};
    const std::array<char*, 1> environment = {nullptr};
    const int error =
        ::posix_spawn(&pid, path.c_str(), &actions, &attributes, arguments.data(), environment.data());
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    return error;
  }

 private:
  static void set_signals(posix_spawnattr_t& attributes) {
    sigset_t all;
    sigset_t none;
    sigfillset(&all);
    sigemptyset(&none);
    posix_spawnattr_setsigdefault(&attributes, &all);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setflags(&attributes,
                             POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSID);
  }

  std::vector<Descriptor> sources_;
};

struct Prepared {
  std::string problem;
  std::string plan;
  std::string fence_words;  // NUL-separated, as bubblewrap reads them
  std::vector<std::string> data;
};

void prepare_fence(const Program& program, const Launch& launch, PlanParts& parts, Prepared& prepared) {
  const std::filesystem::path fence = find_program("bwrap", kDefaultSearchPath);
  if (fence.empty()) {
    prepared.problem = "bubblewrap is not installed; install it (apt-get install bubblewrap)";
    return;
  }
  FenceCommand command = fence_command(program, launch.declared, launch.user);
  for (const std::string& word : command.arguments) prepared.fence_words += word + '\0';
  prepared.data = std::move(command.data);
  parts.fence_arguments = {fence.string(),
                           "--args",
                           std::to_string(first_data_descriptor),
                           "--",
                           "/proc/self/fd/" + std::to_string(keeper_descriptor),
                           "enter"};
  parts.home = kHomeInside;
}

Prepared prepare(const Program& program, const Launch& launch, const std::filesystem::path& home) {
  Prepared prepared;
  PlanParts parts{program, launch.user, home, {}, launch.declared.paths, seccomp_filter()};
  if (parts.filter.empty()) {
    prepared.problem = "the filter of system calls cannot be built (libseccomp): " + error_text(errno);
  }
  if (prepared.problem.empty() && program.access.fence == Fence::bubblewrap) {
    prepare_fence(program, launch, parts, prepared);
  }
  if (prepared.problem.empty()) prepared.plan = plan_bytes(parts);
  return prepared;
}

// Everything the keeper is given, in the order of KeeperDescriptor. False: errno says why.
bool pass_all(KeeperSpawn& spawn, const Prepared& prepared, std::array<Pipe, 5>& pipes) {
  for (Pipe& pipe : pipes) {
    pipe = make_pipe();
    if (!pipe.is_open()) return false;
  }
  auto& [input, output, error, reports, control] = pipes;
  const Descriptor plan = memory_file("plan", prepared.plan);
  const Descriptor keeper = keeper_file();
  bool passed = spawn.pass(input.read_end) && spawn.pass(output.write_end) && spawn.pass(error.write_end) &&
                spawn.pass(reports.write_end) && spawn.pass(control.read_end) && spawn.pass(plan) &&
                spawn.pass(keeper);
  if (prepared.fence_words.empty()) return passed;
  passed = passed && spawn.pass(memory_file("arguments", prepared.fence_words));
  for (const std::string& content : prepared.data)
    passed = passed && spawn.pass(memory_file("data", content));
  return passed;
}

void keep_our_ends(Launch& launch, std::array<Pipe, 5>& pipes) {
  launch.input = std::move(pipes[0].write_end);
  launch.output = std::move(pipes[1].read_end);
  launch.error = std::move(pipes[2].read_end);
  launch.reports = std::move(pipes[3].read_end);
  launch.control = std::move(pipes[4].write_end);
  for (const Descriptor* end : {&launch.input, &launch.output, &launch.error, &launch.reports}) {
    make_non_blocking(*end);
  }
}

std::string path_failure(const Report& report, const Launch& launch) {
  if (report.index >= launch.declared.paths.size()) return "a declared path cannot be used";
  const DeclaredPath& path = launch.declared.paths[report.index];
  const std::string shown = path.source.string();
  if (report.value != EACCES && report.value != EPERM && report.value != EROFS) {
    return "the path " + shown + " cannot be used: " + error_text(report.value);
  }
  return "the path " + shown + " cannot be " + (path.writable ? "written" : "read") + " by user id " +
         std::to_string(launch.user.user) + ", as which programs run; change its owner or its mode";
}

// What is bound is what the paths lead to now, so that a link which is put in later leads nowhere else. Not
// empty: one was put in since the program was checked.
std::string take_real_paths(const Program& program, std::vector<DeclaredPath>& paths) {
  const std::vector<std::filesystem::path> changeable = all_changeable(program.access);
  for (DeclaredPath& path : paths) {
    RealPath found = real_path(path.source, changeable);
    if (!found.planted.empty())
      return "the path " + path.source.string() + " leads over a link that was put in";
    if (!found.error) path.source = std::move(found.path);  // else the keeper says what is wrong with it
  }
  return {};
}

}  // namespace

Launch launch(const Program& program, const std::filesystem::path& home) {
  Launch launch;
  launch.user = tool_user();
  if (program.access.fence == Fence::bubblewrap) launch.declared = declared_paths(program);
  launch.problem = take_real_paths(program, launch.declared.paths);
  if (!launch.problem.empty()) return launch;
  Prepared prepared = prepare(program, launch, home);
  launch.problem = std::move(prepared.problem);
  if (!launch.problem.empty()) return launch;
  KeeperSpawn spawn;
  std::array<Pipe, 5> pipes;
  if (!pass_all(spawn, prepared, pipes)) {
    launch.problem = "no descriptors or memory left to start a program: " + error_text(errno);
    return launch;
  }
  pid_t pid = -1;
  if (const int error = spawn.spawn(pid); error != 0) {
    launch.problem = "the keeper of programs cannot be started from memory: " + error_text(error) +
                     (error == EACCES ? "; is vm.memfd_noexec set?" : "");
    return launch;
  }
  keep_our_ends(launch, pipes);
  launch.keeper = Descriptor(static_cast<int>(::syscall(SYS_pidfd_open, pid, 0)));
  if (!launch.keeper.is_open()) {
    launch.problem = "no descriptor left to start a program: " + error_text(errno);
    launch.control.close();  // it ends at once
    ::waitpid(pid, nullptr, 0);
  }
  return launch;
}

std::string failure_text(const Report& report, const Program& program, const Launch& launch) {
  const std::string why = error_text(report.value);
  const std::filesystem::path& directory =
      program.working_directory.empty() ? program.access.home : program.working_directory;
  switch (report.step) {
    case Step::path:
      return path_failure(report, launch);
    case Step::stage:
      return "the declared paths cannot be prepared: " + why +
             "; started as root, Parley needs CAP_SYS_ADMIN for that, or start it as an ordinary user";
    case Step::user:
      return "cannot change to user id " + std::to_string(launch.user.user) + ": " + why;
    case Step::fence:
      return "bubblewrap cannot be executed: " + why;
    case Step::directory:
      return "the working directory " + directory.string() + " cannot be entered: " + why +
             "; is it among the readable or writable paths, and open to user id " +
             std::to_string(launch.user.user) + "?";
    case Step::program:
      if (report.value == E2BIG) return "the arguments of " + program.argv.front() + " are too long";
      return program.argv.front() + " cannot be executed: " + why +
             (report.value == ENOENT && program.access.fence == Fence::bubblewrap
                  ? "; is it installed, and it or its interpreter among the readable paths?"
                  : "");
    default:
      return "the program cannot be started (step " + std::to_string(static_cast<int>(report.step)) +
             "): " + why;
  }
}

}  // namespace parley::orchestration::sandbox
