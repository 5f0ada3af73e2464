// What is read ahead is found by the requests that come, and costs those that are there at most one chunk.

#include "inference/engine/read_ahead.h"

#include <gtest/gtest.h>

#include "tests/inference/engine/core_harness.h"

namespace parley::inference::engine {
namespace {

using Ids = std::vector<RequestId>;

std::vector<std::int32_t> with_question(std::vector<std::int32_t> prefix) {
  for (const std::int32_t id : {1, 2, 3}) prefix.push_back(id);
  return prefix;
}

TEST(ReadAhead, IsFoundByTheRequestsThatCome) {
  CoreHarness harness({});
  const auto prefix = toy_tokens(100, 1);
  const RequestId ahead = harness.submit(toy_read_ahead(prefix));
  EXPECT_EQ(harness.run(), "");
  EXPECT_EQ(harness.sink(ahead).num_finishes, 1);
  EXPECT_EQ(harness.sink(ahead).result->reason, StopReason::max_tokens);
  EXPECT_TRUE(harness.sink(ahead).tokens.empty());
  EXPECT_EQ(harness.stats().read_ahead_tokens, 96u);
  EXPECT_EQ(harness.stats().referenced_blocks, 0);
  const RequestId question = harness.submit(toy_request(with_question(prefix), 5));
  EXPECT_EQ(harness.run(), "");
  EXPECT_EQ(harness.sink(question).result->cached_tokens, 96);
  EXPECT_EQ(harness.find_wrong_answer(question), "");
}

TEST(ReadAhead, IsNoRequestInTheCounters) {
  CoreHarness harness({});
  harness.submit(toy_read_ahead(toy_tokens(100, 1)));
  EXPECT_EQ(harness.stats().waiting, 0);
  EXPECT_EQ(harness.run(), "");
  const EngineStats stats = harness.stats();
  EXPECT_EQ(stats.accepted, 0u);
  EXPECT_EQ(stats.prompt_tokens, 0u);
  EXPECT_EQ(stats.computed_tokens, 0u);
  EXPECT_EQ(stats.generated_tokens, 0u);
  for (const std::uint64_t count : stats.finished) EXPECT_EQ(count, 0u);
}

TEST(ReadAhead, CostsNothingWhereAllIsCached) {
  CoreHarness harness({});
  const auto prefix = toy_tokens(100, 1);
  harness.submit(toy_read_ahead(prefix));
  EXPECT_EQ(harness.run(), "");
  const int steps = harness.runner().num_steps;
  const RequestId again = harness.submit(toy_read_ahead(prefix));
  EXPECT_EQ(harness.run(), "");
  EXPECT_EQ(harness.runner().num_steps, steps) << "of the model";
  EXPECT_EQ(harness.stats().read_ahead_tokens, 96u);
  EXPECT_EQ(harness.sink(again).result->cached_tokens, 96);
}

TEST(ReadAhead, EndsAtOnceWithoutAWholeBlock) {
  CoreHarness harness({});
  const RequestId ahead = harness.submit(toy_read_ahead(toy_tokens(16, 1)));  // its last token does not count
  EXPECT_EQ(harness.run(), "");
  EXPECT_EQ(harness.sink(ahead).num_finishes, 1);
  EXPECT_EQ(harness.runner().num_steps, 0);
}

TEST(ReadAhead, SharesNothingBetweenSalts) {
  CoreHarness harness({});
  const auto prefix = toy_tokens(100, 1);
  Request ahead = toy_read_ahead(prefix);
  ahead.cache_salt = 1;
  harness.submit(ahead);
  EXPECT_EQ(harness.run(), "");
  const RequestId question = harness.submit(toy_request(with_question(prefix), 1));
  EXPECT_EQ(harness.run(), "");
  EXPECT_EQ(harness.sink(question).result->cached_tokens, 0);
}

TEST(ReadAhead, WaitsWhileAnybodyIsAnswered) {
  CoreHarness harness({});
  const RequestId answer = harness.submit(toy_request(toy_tokens(20, 1), 30));
  const RequestId ahead = harness.submit(toy_read_ahead(toy_tokens(100, 2)));
  while (harness.sink(answer).num_finishes == 0) {
    ASSERT_EQ(harness.stats().read_ahead_tokens, 0u);
    ASSERT_EQ(harness.step(), "");
  }
  EXPECT_EQ(harness.sink(ahead).num_finishes, 0);
  EXPECT_EQ(harness.run(), "");
  EXPECT_EQ(harness.sink(ahead).num_finishes, 1);
  EXPECT_EQ(harness.find_wrong_answer(answer), "");
}

// 4 ms a token, and a step may last 100 ms: nobody waits for more than one such chunk.
TEST(ReadAhead, GivesWayAfterAShortChunk) {
  CoreHarness harness({.prefill_token_seconds = 0.004});
  harness.submit(toy_read_ahead(toy_tokens(900, 1)));
  for (int i = 0; i < 20; ++i) {
    ASSERT_EQ(harness.step(), "");
    ASSERT_EQ(harness.last_plan().sequences.size(), 1u);
    ASSERT_LE(harness.last_plan().sequences[0].num_rows, 32);
    ASSERT_GE(harness.last_plan().sequences[0].num_rows, i > 5 ? 16 : 8);
  }
  const std::uint64_t read = harness.stats().read_ahead_tokens;
  const RequestId question = harness.submit(toy_request(toy_tokens(200, 2), 4));
  ASSERT_EQ(harness.step(), "");
  ASSERT_EQ(harness.last_plan().sequences.size(), 1u);
  EXPECT_EQ(harness.last_plan().sequences[0].num_rows, 200) << "the whole question, and nothing else";
  EXPECT_EQ(harness.stats().referenced_blocks, 13) << "and only its blocks are held";
  EXPECT_EQ(harness.stats().read_ahead_tokens, read);
  EXPECT_EQ(harness.run(), "");
  EXPECT_EQ(harness.find_wrong_answer(question), "");
  EXPECT_LE(harness.stats().read_ahead_tokens, 896u + 15u) << "what was in no whole block is read again";
}

TEST(ReadAhead, IsGoneOnWithByTheQuestionThatComesEarly) {
  CoreHarness harness({});
  const auto prefix = toy_tokens(600, 1);
  const RequestId ahead = harness.submit(toy_read_ahead(prefix));
  while (harness.stats().read_ahead_tokens < 200) ASSERT_EQ(harness.step(), "");
  const int read = static_cast<int>(harness.stats().read_ahead_tokens);
  ASSERT_LT(read, 592);
  const RequestId question = harness.submit(toy_request(with_question(prefix), 5));
  EXPECT_EQ(harness.run(), "");
  EXPECT_EQ(harness.sink(question).result->cached_tokens, read / 16 * 16);
  EXPECT_EQ(harness.stats().twin_waits, 0u) << "it waits for nobody";
  EXPECT_EQ(harness.find_wrong_answer(question), "");
  EXPECT_EQ(harness.sink(ahead).num_finishes, 1);
  EXPECT_EQ(harness.stats().read_ahead_tokens, static_cast<std::uint64_t>(read))
      << "the question did the rest";
}

TEST(ReadAhead, TakesTheNewestFirstAndEndsTheOldestOfMany) {
  CoreHarness harness({});
  Ids ended;
  Ids ids;
  for (std::uint64_t i = 0; i <= ReadAhead::kMaxWaiting; ++i) {
    const RequestId id = harness.submit(toy_read_ahead(toy_tokens(50, i)));
    harness.sink(id).when_finished = [&ended, id](const FinishedRequest&) { ended.push_back(id); };
    ids.push_back(id);
  }
  EXPECT_EQ(harness.run(), "");
  EXPECT_EQ(harness.sink(ids.front()).result->reason, StopReason::cancelled);
  EXPECT_EQ(ended, (Ids{1, 9, 8, 7, 6, 5, 4, 3, 2}));
  EXPECT_EQ(harness.stats().read_ahead_tokens, 48u * ReadAhead::kMaxWaiting);
}

TEST(ReadAhead, IsCancelledHalfReadAndUnread) {
  CoreHarness harness({});
  const RequestId unread = harness.submit(toy_read_ahead(toy_tokens(600, 1)));
  const RequestId half_read = harness.submit(toy_read_ahead(toy_tokens(600, 2)));
  while (harness.stats().read_ahead_tokens < 100) ASSERT_EQ(harness.step(), "");
  for (const RequestId id : {unread, half_read}) {
    harness.cancel(id);
    harness.cancel(id);  // twice is once
    EXPECT_EQ(harness.sink(id).num_finishes, 1);
    EXPECT_EQ(harness.sink(id).result->reason, StopReason::cancelled);
  }
  EXPECT_FALSE(harness.core().has_work());
  EXPECT_EQ(harness.stats().referenced_blocks, 0);
  EXPECT_GE(harness.stats().cached_blocks, 6) << "what was read stays";
}

TEST(ReadAhead, EndsWithTheEngine) {
  CoreHarness harness({});
  const RequestId unread = harness.submit(toy_read_ahead(toy_tokens(600, 1)));
  const RequestId half_read = harness.submit(toy_read_ahead(toy_tokens(600, 2)));
  EXPECT_EQ(harness.step(), "");
  harness.core().finish_all(StopReason::cancelled, {});
  harness.core().deliver();
  EXPECT_EQ(harness.sink(unread).num_finishes + harness.sink(half_read).num_finishes, 2);
  EXPECT_EQ(harness.stats().referenced_blocks, 0);
}

// The pool holds one prompt: what is read ahead makes room for whoever asks.
TEST(ReadAhead, KeepsNoMemoryFromThoseWhoAsk) {
  CoreHarness harness({.engine = {.num_blocks = 20, .max_context = 320, .vocab_size = 101}});
  harness.submit(toy_read_ahead(toy_tokens(300, 1)));
  while (harness.stats().read_ahead_tokens < 200) ASSERT_EQ(harness.step(), "");
  const RequestId question = harness.submit(toy_request(toy_tokens(300, 2), 10));
  EXPECT_EQ(harness.step(), "");
  EXPECT_TRUE(harness.is_running(question));
  EXPECT_EQ(harness.run(), "");
  EXPECT_EQ(harness.find_wrong_answer(question), "");
  EXPECT_EQ(harness.stats().preemptions, 0u);
}

}  // namespace
}  // namespace parley::inference::engine
