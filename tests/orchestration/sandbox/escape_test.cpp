// Ways out of the fence, none of which may be open. The list is in hostile/.

#include <gtest/gtest.h>
#include <spawn.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <map>
#include <sstream>

#include "tests/fakes/temp_directory.h"
#include "tests/orchestration/sandbox/listeners.h"
#include "tests/orchestration/sandbox/sandbox_run.h"

namespace parley::orchestration::sandbox {
namespace {

namespace fs = std::filesystem;

constexpr int kEscaped = 0;
constexpr int kRefused = 1;

class Escape : public tests::FencedTest {
 protected:
  Escape() : listeners_(folder_.path() / "socket") {
    ::chmod(folder_.path().c_str(), 0777);
    fs::create_directory(folder_.path() / "data");
    secret_ = folder_.path() / "data" / "secret";
    std::ofstream(secret_) << "secret";
    ::chmod((folder_.path() / "data").c_str(), 0777);
    ::chmod(secret_.c_str(), 0666);  // so that it is the fence that refuses, and not the mode
  }

  std::string argument_for(const std::string& way) const {
    const std::map<std::string, std::string> others = {{"connect_to_path", listeners_.path()},
                                                       {"connect_to_abstract", listeners_.abstract()},
                                                       {"connect_to_port", listeners_.port()},
                                                       {"signal_outside", std::to_string(::getpid())},
                                                       {"see_outside", std::to_string(::getpid())}};
    const auto found = others.find(way);
    return found == others.end() ? secret_ : found->second;
  }

  static int unfenced(const std::vector<std::string>& words) {
    std::vector<char*> argv;
    for (const std::string& word : words) argv.push_back(const_cast<char*>(word.c_str()));
    argv.push_back(nullptr);
    pid_t pid = -1;
    EXPECT_EQ(::posix_spawn(&pid, argv[0], nullptr, nullptr, argv.data(), environ), 0);
    int status = 0;
    ::waitpid(pid, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }

  static bool has_landlock_scopes() { return ::syscall(SYS_landlock_create_ruleset, nullptr, 0, 1) >= 6; }

  static std::vector<std::string> all_ways() {
    std::istringstream lines(tests::run(tests::program_of({tests::beside("intruder"), "list"})).output);
    std::vector<std::string> ways;
    for (std::string line; std::getline(lines, line);) ways.push_back(line);
    return ways;
  }

  tests::fakes::TempDirectory folder_;
  tests::Listeners listeners_;
  std::string secret_;
};

TEST_F(Escape, NoWayOutIsOpen) {
  const std::vector<std::string> ways = all_ways();
  ASSERT_GE(ways.size(), 70U);
  for (const std::string& way : ways) {
    const ProgramResult result =
        tests::run(tests::program_of({tests::beside("intruder"), way, argument_for(way)}));
    EXPECT_EQ(result.end, tests::End::exited) << way << ": " << result.error;
    EXPECT_EQ(result.code, kRefused) << way;
  }
  EXPECT_EQ(tests::content_of(secret_), "secret");
}

// The probes can succeed: these do where there is no fence.
TEST_F(Escape, TheWaysAreOpenWithoutAFence) {
  for (const char* way : {"read_secret", "read_secret_by_roots", "read_secret_by_link", "write_secret",
                          "see_sys", "connect_to_path", "connect_to_abstract", "connect_to_port",
                          "signal_outside", "see_outside", "signal_parent", "be_traced", "name_to_handle"}) {
    ::unlink("/tmp/link");
    EXPECT_EQ(unfenced({tests::beside("intruder"), way, argument_for(way)}), kEscaped) << way;
  }
  ::unlink("/tmp/link");
}

// What the network lets through when it is on is the network, and nothing else.
TEST_F(Escape, WithTheNetworkOnOnlyTheNetworkIsOpen) {
  for (const char* way : {"read_secret", "connect_to_path", "signal_outside", "vsock", "packet_socket",
                          "raw_socket", "unshare_user", "read_shadow", "write_net_sysctl"}) {
    Program program = tests::program_of({tests::beside("intruder"), way, argument_for(way)});
    program.access.network = Network::on;
    EXPECT_EQ(tests::run(program).code, kRefused) << way;
  }
  if (has_landlock_scopes()) {
    Program program =
        tests::program_of({tests::beside("intruder"), "connect_to_abstract", listeners_.abstract()});
    program.access.network = Network::on;
    EXPECT_EQ(tests::run(program).code, kRefused);
  }
  Program program = tests::program_of({tests::beside("intruder"), "connect_to_port", listeners_.port()});
  program.access.network = Network::on;
  EXPECT_EQ(tests::run(program).code, kEscaped);
}

// Without a fence the filter and the user remain.
TEST_F(Escape, WithoutAFenceTheKernelIsStillOutOfReach) {
  for (const char* way : {"mount_tmpfs",  "unshare_user", "clone_user",
                          "clone3_user",  "bpf",          "perf_event_open",
                          "io_uring",     "userfaultfd",  "add_key",
                          "keyctl",       "vsock",        "be_traced",
                          "read_memory",  "be_root",      "set_user_id_program",
                          "raise_limits", "drop_filter",  "inherited_descriptors",
                          "terminal",     "read_shadow"}) {
    const Program program =
        tests::program_of({tests::beside("intruder"), way, argument_for(way)}, Fence::none);
    const ProgramResult result = tests::run(program);
    EXPECT_EQ(result.code, kRefused) << way << result.error;
  }
}

}  // namespace
}  // namespace parley::orchestration::sandbox
