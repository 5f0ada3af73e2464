#include "orchestration/tools/call_limits.h"

#include <gtest/gtest.h>

#include "tests/orchestration/tools/fake_tool.h"

namespace parley::orchestration::tools {
namespace {

using std::chrono::milliseconds;
using Time = std::chrono::steady_clock::time_point;

constexpr ToolLimits kSampleLimits = {.call_timeout = milliseconds(5000),
                                      .loop_wall_time = milliseconds(90'000)};

CallContext limited(const ToolSpec& spec) {
  CallContext context;
  limit_call(context, spec, kSampleLimits, Time(milliseconds(1000)));
  return context;
}

TEST(CallLimits, TheFilesTimeOutHoldsForToolsWithoutOne) {
  const CallContext context = limited(spec_of("a"));
  EXPECT_EQ(context.timeout, milliseconds(5000));
  EXPECT_EQ(context.deadline, Time(milliseconds(6000)));
}

TEST(CallLimits, AToolsOwnTimeOutHoldsShorterOrLonger) {
  ToolSpec spec = spec_of("a");
  for (const int own : {700, 300'000}) {
    spec.timeout = milliseconds(own);
    EXPECT_EQ(limited(spec).timeout, milliseconds(own));
    EXPECT_EQ(limited(spec).deadline, Time(milliseconds(1000 + own)));
  }
}

TEST(CallLimits, WhatProgressKeepsAliveMayTakeAsLongAsTheAnswer) {
  ToolSpec spec = spec_of("a");
  spec.progress_extends = true;
  EXPECT_EQ(limited(spec).timeout, milliseconds(5000));
  EXPECT_EQ(limited(spec).deadline, Time(milliseconds(91'000)));
  spec.timeout = milliseconds(100'000);
  EXPECT_EQ(limited(spec).deadline, Time(milliseconds(101'000)));
}

}  // namespace
}  // namespace parley::orchestration::tools
