// Servers that misbehave: a call ends by its deadline with words that say why, and nothing is left behind.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <iterator>

#include "tests/orchestration/mcp/test_servers.h"

namespace parley::orchestration::mcp {
namespace {

using Clock = std::chrono::steady_clock;
using Status = CallOutcome::Status;
using std::chrono::milliseconds;
using std::chrono::seconds;
using tests::fakes::eventually;

struct Case {
  const char* kind;
  Status status;
  const char* words;  // in the problem, or the text
};

void PrintTo(const Case& tested, std::ostream* out) { *out << tested.kind; }

// Descriptors and threads of this process.
std::size_t entries(const char* folder) {
  return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator(folder), {}));
}

struct HostileServerTest : testing::TestWithParam<Case> {
  TestBench bench;
};

TEST_P(HostileServerTest, fails_one_call_within_its_time_and_nothing_else) {
  const Case& tested = GetParam();
  auto server = bench.start(bench.python("hostile_server.py", tested.kind));
  ASSERT_TRUE(is_ready(*server)) << server->status().reason << log_text(*server);
  // Only for those that never answer it is the deadline that ends the call.
  const seconds limit(tested.status == Status::timed_out ? 2 : 60);
  const auto begin = Clock::now();
  const CallOutcome outcome = call(*server, "act", {}, options(limit));
  EXPECT_LT(Clock::now() - begin, limit + seconds(2));
  EXPECT_EQ(outcome.status, tested.status) << outcome.problem;
  const std::string said = outcome.problem.empty() ? first_text(outcome) : outcome.problem;
  EXPECT_NE(said.find(tested.words), std::string::npos) << said.substr(0, 300);
  EXPECT_LE(server->log().size(), ServerLog::kMaxLines);
  EXPECT_TRUE(is_ready(*server)) << "it comes back: " << server->status().reason;
  const auto ending = Clock::now();
  server.reset();
  EXPECT_LT(Clock::now() - ending, seconds(5));
}

constexpr Case kCases[] = {
    {"floods", Status::failed, "floods"},
    {"floods-errors", Status::failed, "floods"},
    {"huge-line", Status::failed, "longer than"},
    {"huge-answer", Status::ok, "yyyy"},
    {"wrong-ids", Status::ok, "right"},
    {"garbage", Status::ok, "fine"},
    {"too-deep", Status::failed, "cannot be read"},
    {"closes-output", Status::timed_out, "no answer in time"},
    {"asks-for-ever", Status::failed, "floods"},
    {"progress-for-ever", Status::timed_out, "no answer in time"},
    {"forks", Status::failed, "exited with status 0"},
    {"ignores-term", Status::timed_out, "no answer in time"},
};

std::string kind_of(const testing::TestParamInfo<Case>& tested) {
  std::string name = tested.param.kind;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(Kinds, HostileServerTest, testing::ValuesIn(kCases), kind_of);

TEST(HostileServer, restarts_leak_neither_descriptors_nor_threads) {
  TestBench bench;
  {
    const auto warm_up = bench.stdio("legacy");
    ASSERT_TRUE(is_ready(*warm_up));
  }
  const std::size_t descriptors = entries("/proc/self/fd");
  const std::size_t threads = entries("/proc/self/task");
  {
    const auto server = bench.stdio("legacy");
    for (int i = 0; i < 15; ++i) {
      ASSERT_TRUE(is_ready(*server));
      ASSERT_TRUE(
          eventually([&] { return call(*server, "die").problem.find("status 3") != std::string::npos; }));
    }
  }
  EXPECT_TRUE(eventually([&] { return entries("/proc/self/fd") <= descriptors; }));
  EXPECT_TRUE(eventually([&] { return entries("/proc/self/task") <= threads; }));
}

}  // namespace
}  // namespace parley::orchestration::mcp
