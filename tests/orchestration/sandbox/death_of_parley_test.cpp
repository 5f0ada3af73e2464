// Nothing that a Parley started lives on when it is killed.

#include <gtest/gtest.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/fakes/eventually.h"
#include "tests/orchestration/sandbox/sandbox_run.h"

namespace parley::orchestration::sandbox {
namespace {

class DeathOfParley : public tests::FencedTest, public testing::WithParamInterface<const char*> {};

INSTANTIATE_TEST_SUITE_P(Fences, DeathOfParley, testing::Values("bubblewrap", "none"),
                         [](const auto& shown) { return std::string(shown.param); });

TEST_P(DeathOfParley, TakesAllProgramsWithIt) {
  const std::string marker = "parley-marker-death-" + std::to_string(::getpid());
  const std::vector<std::string> words = {tests::beside("other_parley"), GetParam(), marker};
  std::vector<char*> argv;
  for (const std::string& word : words) argv.push_back(const_cast<char*>(word.c_str()));
  argv.push_back(nullptr);
  pid_t pid = -1;
  ASSERT_EQ(::posix_spawn(&pid, argv[0], nullptr, nullptr, argv.data(), environ), 0);
  // other_parley itself, the shell, two that sleep
  EXPECT_TRUE(tests::fakes::eventually([&] { return tests::processes_with(marker).size() >= 4; },
                                       std::chrono::seconds(15)));
  ::kill(pid, SIGKILL);
  ::waitpid(pid, nullptr, 0);
  EXPECT_TRUE(tests::fakes::eventually([&] { return tests::processes_with(marker).empty(); },
                                       std::chrono::seconds(2)));
}

}  // namespace
}  // namespace parley::orchestration::sandbox
