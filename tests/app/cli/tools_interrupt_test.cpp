// Ctrl-C while tools run, in a process of its own as a shell would start it.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>

#include "app/cli/interrupt_as_stop.h"
#include "orchestration/tools/audit_log.h"
#include "tests/app/cli/program_run.h"
#include "tests/app/cli/tiny_model_file.h"
#include "tests/fakes/eventually.h"
#include "tests/fakes/temp_directory.h"

namespace parley::app::cli {
namespace {

namespace fs = std::filesystem;
using tests::fakes::eventually;

class ToolsInterruptTest : public testing::Test {
 protected:
  // Programs run as another user where Parley is root.
  ToolsInterruptTest() { fs::permissions(folder_.path(), fs::perms::all); }

  fs::path at(const char* name) const { return folder_.path() / name; }

  // A shell that writes its number into `name` and then takes its time.
  std::string slow(const char* name) const {
    return R"(["/bin/sh", "-c", "echo $$$$ > )" + at(name).string() + R"(; sleep 60; true"])";
  }
  // A slow tool beside a server that never shakes hands.
  std::string file() const {
    const std::string server = slow("server");
    const std::size_t comma = server.find(',');
    std::ofstream(at("tools.json"))
        << R"({"tools": {"slow": {"approval": "auto", "sandbox": "none", "command": )" << slow("tool")
        << R"(}}, "mcpServers": {"mute": {"sandbox": "none", "command": )" << server.substr(1, comma - 1)
        << R"(, "args": [)" << server.substr(comma + 1) << "}}}";
    fs::permissions(at("tools.json"), fs::perms::owner_read | fs::perms::owner_write);
    return at("tools.json").string();
  }

  // Ends this process, which gets SIGINT once there is a number in `mark`.
  [[noreturn]] static void run_until_interrupted(const Arguments& arguments, const fs::path& mark) {
    sigset_t interrupt;
    sigset_t before;
    sigemptyset(&interrupt);
    sigaddset(&interrupt, SIGINT);
    pthread_sigmask(SIG_BLOCK, &interrupt, &before);  // for the sender only
    std::thread([mark] {
      eventually([&] { return number_in(mark) > 0; }, std::chrono::seconds(20));
      ::kill(::getpid(), SIGINT);
    }).detach();
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
    const int status = run_program(arguments);
    std::_Exit(status);
  }

  static pid_t number_in(const fs::path& file) {
    pid_t number = 0;
    std::ifstream(file) >> number;
    return number;
  }
  static bool has_ended(pid_t process) {
    return eventually([&] { return ::kill(process, 0) != 0 && errno == ESRCH; }, std::chrono::seconds(5));
  }

  tests::fakes::TempDirectory folder_;
};

TEST_F(ToolsInterruptTest, EndsTheCallTheServersAndThenTheProgram) {
  const Arguments arguments = {"tools", "call", "slow", "--tools", file(), "--data", at("data").string()};
  EXPECT_EXIT(run_until_interrupted(arguments, at("tool")), testing::ExitedWithCode(kInterruptedStatus),
              "stopped: the call, and what else was started, has ended");
  ASSERT_GT(number_in(at("tool")), 0);
  EXPECT_TRUE(has_ended(number_in(at("tool"))));
  EXPECT_TRUE(number_in(at("server")) == 0 || has_ended(number_in(at("server"))));
  const auto log = orchestration::tools::read_audit_log(at("data") / "tools.log", {});
  ASSERT_EQ(log.records.size(), 1u) << "it ran, so it is in the log";
  EXPECT_EQ(log.records[0].end, "cancelled");
}

TEST_F(ToolsInterruptTest, CallsNothingAfterASignal) {
  const Arguments arguments = {"tools", "call",   "mute_look",        "--tools",
                               file(),  "--data", at("data").string()};
  EXPECT_EXIT(run_until_interrupted(arguments, at("server")), testing::ExitedWithCode(kInterruptedStatus),
              "stopped: mute_look was not called, and what was started has ended");
  EXPECT_TRUE(has_ended(number_in(at("server"))));
  EXPECT_FALSE(fs::exists(at("data") / "tools.log"));
}

TEST_F(ToolsInterruptTest, EndsACheckWithItsServers) {
  const TinyModelFile model;
  const Arguments arguments = {"tools",   "check",     file(), "--data", at("data").string(),
                               "--model", model.name()};
  EXPECT_EXIT(run_until_interrupted(arguments, at("server")), testing::ExitedWithCode(kInterruptedStatus),
              "stopped: nothing is reported, and what was started has ended");
  EXPECT_TRUE(has_ended(number_in(at("server"))));
}

}  // namespace
}  // namespace parley::app::cli
