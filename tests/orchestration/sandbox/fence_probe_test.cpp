#include "orchestration/sandbox/fence_probe.h"

#include <gtest/gtest.h>

namespace parley::orchestration::sandbox {
namespace {

TEST(FenceProbeTest, RemembersSuccessForEverAndFailureForAWhile) {
  int probes = 0;
  std::string answer = "bubblewrap is not installed";
  FenceProbe probe([&] {
    ++probes;
    return answer;
  });
  const auto begin = FenceProbe::Clock::time_point(std::chrono::hours(5));
  EXPECT_EQ(probe.problem(begin), "bubblewrap is not installed");
  EXPECT_EQ(probe.problem(begin + FenceProbe::kPause - std::chrono::milliseconds(1)),
            "bubblewrap is not installed");
  EXPECT_EQ(probes, 1);
  answer = "";
  EXPECT_EQ(probe.problem(begin + FenceProbe::kPause), "");
  answer = "no descriptors left";
  EXPECT_EQ(probe.problem(begin + std::chrono::hours(1)), "");
  EXPECT_EQ(probes, 2);
}

}  // namespace
}  // namespace parley::orchestration::sandbox
