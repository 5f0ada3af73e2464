#include "orchestration/turn/run_figures.h"

#include <gtest/gtest.h>

namespace parley::orchestration::turn {
namespace {

using namespace std::chrono_literals;
using inference::engine::FinishedRequest;

FinishedRequest run(int prompt, int cached, int completion) {
  FinishedRequest result;
  result.prompt_tokens = prompt;
  result.cached_tokens = cached;
  result.completion_tokens = completion;
  result.queued = 4ms;
  result.first_token = 10ms;
  result.total = 110ms;
  return result;
}

TEST(RunFigures, AddsUpRunsButAPromptThatIsGoneOnWithOnce) {
  RunFigures figures(std::chrono::steady_clock::now());
  figures.begin_run();
  for (int i = 0; i < 3; ++i) figures.add_token();
  figures.end_run(run(100, 60, 5), PromptUse::counted);
  figures.begin_run();
  figures.add_token();
  figures.end_run(run(110, 100, 1), PromptUse::counted_before);
  EXPECT_EQ(figures.usage().prompt_tokens, 100);
  EXPECT_EQ(figures.usage().cached_tokens, 60);
  EXPECT_EQ(figures.usage().completion_tokens, 4) << "those that were used";
  EXPECT_EQ(figures.queued(), 8ms);
}

TEST(RunFigures, TheFirstTokenIsTheFirstThatWasShown) {
  RunFigures figures(std::chrono::steady_clock::now() - 1s);
  figures.begin_run();
  figures.end_run(run(1, 0, 2), PromptUse::counted);
  EXPECT_NEAR(figures.timings(run(1, 0, 2)).first_token_ms, 1010, 200);
  figures.note_shown(run(1, 0, 2));
  FinishedRequest late = run(1, 0, 2);
  late.first_token = 5s;
  late.total = 7s;
  figures.begin_run();
  figures.end_run(late, PromptUse::counted);
  figures.note_shown(late);
  EXPECT_LT(figures.timings(late).first_token_ms, 1500);
  EXPECT_GE(figures.timings(late).total_ms, 8000);
  EXPECT_NEAR(figures.timings(late).tokens_per_second, 0.5, 1e-9);
}

TEST(RunFigures, WithoutTokensThereIsNoFirstOne) {
  RunFigures figures(std::chrono::steady_clock::now());
  figures.begin_run();
  EXPECT_EQ(figures.timings(run(1, 0, 0)).first_token_ms, 0);
  EXPECT_EQ(figures.timings(run(1, 0, 1)).tokens_per_second, 0);
}

}  // namespace
}  // namespace parley::orchestration::turn
