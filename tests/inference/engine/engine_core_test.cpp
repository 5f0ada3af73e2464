#include "inference/engine/engine_core.h"

#include <gtest/gtest.h>

#include "tests/inference/engine/core_harness.h"

namespace parley::inference::engine {
namespace {

std::vector<std::int32_t> joined(std::vector<std::int32_t> a, const std::vector<std::int32_t>& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

TEST(EngineCore, GivesTheModelsTokens) {
  CoreHarness harness({});
  const RequestId id = harness.submit(toy_request(toy_tokens(40, 1), 25));
  EXPECT_EQ(harness.run(), "");
  EXPECT_EQ(harness.find_wrong_answer(id), "");
  EXPECT_EQ(harness.sink(id).tokens.size(), 25u);
  EXPECT_EQ(harness.sink(id).result->reason, StopReason::max_tokens);
  EXPECT_EQ(harness.sink(id).result->prompt_tokens, 40);
  EXPECT_EQ(harness.sink(id).result->cached_tokens, 0);
}

TEST(EngineCore, AnswersAPromptOfOneToken) {
  CoreHarness harness({});
  const RequestId id = harness.submit(toy_request({5}, 3));
  EXPECT_EQ(harness.run(), "");
  EXPECT_EQ(harness.find_wrong_answer(id), "");
}

TEST(EngineCore, NeitherDeliversNorCountsAStopId) {
  CoreHarness harness({});
  Request request = toy_request(toy_tokens(10, 2), 30);
  const auto free_run = fakes::toy_answer({}, request, 1024);
  request.stop_ids = {free_run.tokens[7], 100000};
  const auto expected = std::find(free_run.tokens.begin(), free_run.tokens.end(), free_run.tokens[7]);
  const RequestId id = harness.submit(request);
  EXPECT_EQ(harness.run(), "");
  EXPECT_EQ(harness.find_wrong_answer(id), "");
  const FinishedRequest& result = *harness.sink(id).result;
  EXPECT_EQ(result.reason, StopReason::stop_token);
  EXPECT_EQ(result.completion_tokens, expected - free_run.tokens.begin());
  EXPECT_EQ(harness.stats().generated_tokens, static_cast<std::uint64_t>(result.completion_tokens));
}

TEST(EngineCore, EndsAtTheContextsEnd) {
  CoreHarness harness({.engine = {.num_blocks = 64, .max_context = 50, .vocab_size = 101}});
  const RequestId id = harness.submit(toy_request(toy_tokens(40, 3), 0));
  EXPECT_EQ(harness.run(), "");
  EXPECT_EQ(harness.sink(id).result->reason, StopReason::context_end);
  EXPECT_EQ(harness.sink(id).result->completion_tokens, 10);
  EXPECT_EQ(harness.find_wrong_answer(id), "");
}

TEST(EngineCore, EndsWhenTheKvMemoryIsUsedUp) {
  CoreHarness harness({.engine = {.num_blocks = 3, .max_context = 4096, .vocab_size = 101}});
  EXPECT_EQ(harness.stats().max_context, 48);
  const RequestId first = harness.submit(toy_request(toy_tokens(20, 3), 0));
  const RequestId second = harness.submit(toy_request(toy_tokens(30, 4), 0));
  EXPECT_EQ(harness.run(), "");
  for (const RequestId id : {first, second}) {
    EXPECT_EQ(harness.sink(id).result->reason, StopReason::context_end);
    EXPECT_EQ(harness.find_wrong_answer(id), "");
  }
}

TEST(EngineCore, ComputesOnlyWhatIsNewInTheNextTurnOfAChat) {
  CoreHarness harness({});
  const auto prompt = toy_tokens(100, 5);
  const RequestId first = harness.submit(toy_request(prompt, 50));
  EXPECT_EQ(harness.run(), "");
  const auto message = toy_tokens(20, 6);
  const auto next = joined(joined(prompt, harness.sink(first).tokens), message);
  const RequestId second = harness.submit(toy_request(next, 10));
  EXPECT_EQ(harness.run(), "");
  EXPECT_EQ(harness.find_wrong_answer(second), "");
  const int not_cached =
      harness.sink(second).result->prompt_tokens - harness.sink(second).result->cached_tokens;
  EXPECT_LE(not_cached, 20 + 15 + 1);
  EXPECT_EQ(harness.stats().computed_tokens, static_cast<std::uint64_t>(100 + not_cached));
}

TEST(EngineCore, NeverTakesAWholePromptFromTheCache) {
  CoreHarness harness({});
  const auto prompt = toy_tokens(64, 7);
  harness.submit(toy_request(prompt, 5));
  EXPECT_EQ(harness.run(), "");
  const RequestId again = harness.submit(toy_request(prompt, 5));
  EXPECT_EQ(harness.run(), "");
  EXPECT_EQ(harness.sink(again).result->cached_tokens, 48);
  EXPECT_EQ(harness.find_wrong_answer(again), "");
}

TEST(EngineCore, RunsNoMoreRequestsThanAStepHasRows) {
  CoreHarness harness({.engine = {.num_blocks = 64,
                                  .max_context = 1024,
                                  .vocab_size = 101,
                                  .scheduling = {.max_sequences = 5, .max_step_tokens = 3}}});
  for (std::uint64_t i = 0; i < 5; ++i) harness.submit(toy_request(toy_tokens(4, i), 10));
  EXPECT_EQ(harness.stats().max_sequences, 3);
  EXPECT_EQ(harness.run(), "");
  for (RequestId id = 1; id <= 5; ++id) EXPECT_EQ(harness.find_wrong_answer(id), "");
}

TEST(EngineCore, SharesNothingBetweenSalts) {
  CoreHarness harness({});
  Request request = toy_request(toy_tokens(64, 8), 5);
  harness.submit(request);
  EXPECT_EQ(harness.run(), "");
  request.cache_salt = 1;
  const RequestId other = harness.submit(request);
  EXPECT_EQ(harness.run(), "");
  EXPECT_EQ(harness.sink(other).result->cached_tokens, 0);
  const RequestId same = harness.submit(request);
  EXPECT_EQ(harness.run(), "");
  EXPECT_EQ(harness.sink(same).result->cached_tokens, 48);
}

TEST(EngineCore, ComputesAPrefixOnceForConversationsThatStartTogether) {
  CoreHarness harness({.engine = {.num_blocks = 512, .max_context = 4096, .vocab_size = 101}});
  const auto shared = toy_tokens(2000, 9);
  std::vector<RequestId> ids;
  for (std::uint64_t i = 0; i < 4; ++i) {
    ids.push_back(
        harness.submit(toy_request(joined(shared, toy_tokens(10 + static_cast<int>(i), 100 + i)), 8)));
  }
  EXPECT_EQ(harness.run(), "");
  for (const RequestId id : ids) EXPECT_EQ(harness.find_wrong_answer(id), "");
  EXPECT_LE(harness.stats().computed_tokens, 2000u + 4 * (13 + 15));
  EXPECT_EQ(harness.stats().twin_waits, 3u);
  EXPECT_EQ(harness.stats().prompt_tokens, harness.stats().cached_tokens + harness.stats().computed_tokens);
}

TEST(EngineCore, ComputesForItselfWhenTheTwinIsCancelled) {
  CoreHarness harness({});
  const auto shared = toy_tokens(600, 10);
  const RequestId producer = harness.submit(toy_request(shared, 8));
  const RequestId waiting = harness.submit(toy_request(joined(shared, {1, 2, 3}), 8));
  EXPECT_EQ(harness.step(), "");
  EXPECT_TRUE(harness.is_running(producer));
  EXPECT_FALSE(harness.is_running(waiting));
  harness.cancel(producer);
  EXPECT_EQ(harness.run(), "");
  EXPECT_EQ(harness.find_wrong_answer(waiting), "");
  EXPECT_EQ(harness.sink(waiting).result->cached_tokens, 256);  // what the producer had committed
}

TEST(EngineCore, FailsOnlyTheRequestWhoseLogitsAreNotFinite) {
  // Blocks of 16 tokens: two are published before the third shows what is wrong.
  CoreHarness harness({.engine = {.num_blocks = 64,
                                  .max_context = 1024,
                                  .vocab_size = 101,
                                  .scheduling = {.max_sequences = 2, .max_step_tokens = 16}},
                       .model = {.poison_token = 13}});
  auto poisoned_prompt = toy_tokens(40, 11, 13);
  poisoned_prompt[33] = 13;
  const RequestId poisoned = harness.submit(toy_request(poisoned_prompt, 20));
  Request healthy_request = toy_request(toy_tokens(40, 12, 13), 3);
  const RequestId healthy = harness.submit(healthy_request);
  EXPECT_EQ(harness.run(), "");
  EXPECT_EQ(harness.sink(poisoned).result->reason, StopReason::failed);
  EXPECT_NE(harness.sink(poisoned).result->error.find("not finite"), std::string::npos);
  EXPECT_TRUE(harness.sink(poisoned).tokens.empty());
  EXPECT_EQ(harness.find_wrong_answer(healthy), "");
  const RequestId again = harness.submit(toy_request(poisoned_prompt, 20));
  EXPECT_EQ(harness.run(), "");
  EXPECT_EQ(harness.sink(again).result->cached_tokens, 0) << "KV rows of a failed request were kept";
}

// A model that answers with an id that does not exist.
class BrokenModel final : public ModelRunner {
 public:
  std::vector<backend::SampledToken> run(const backend::StepPlan&,
                                         const backend::SamplePlan& sampling) override {
    return std::vector<backend::SampledToken>(sampling.size(), {.token_id = 101, .top = {}});
  }
  std::vector<backend::SampledToken> draw_again(const backend::SamplePlan&) override { return {}; }
};

TEST(EngineCore, NeverDeliversAnIdOutsideOfTheVocabulary) {
  const EngineOptions options{.num_blocks = 8, .max_context = 64, .vocab_size = 101};
  EngineCore core(std::make_unique<BrokenModel>(), options);
  const auto sink = std::make_shared<fakes::RecordingSink>();
  core.add({1, toy_request({1, 2}, 5), sink, Clock::now()});
  core.step();
  core.deliver();
  EXPECT_TRUE(sink->tokens.empty());
  EXPECT_EQ(sink->result->reason, StopReason::failed);
}

TEST(EngineCore, CountsRepeatedTokensOfPromptAndAnswer) {
  CoreHarness harness({});
  Request request = toy_request(toy_tokens(30, 13, 5), 40);
  request.sampling.repeat_penalty = 1.3f;
  const RequestId id = harness.submit(request);
  EXPECT_EQ(harness.run(), "");
  EXPECT_EQ(harness.find_wrong_answer(id), "");
}

TEST(EngineCore, PassesLogprobsOn) {
  CoreHarness harness({});
  Request request = toy_request(toy_tokens(30, 14), 2);
  request.num_logprobs = 3;
  const RequestId id = harness.submit(request);
  EXPECT_EQ(harness.run(), "");
  const GeneratedToken& token = harness.sink(id).generated.at(1);
  EXPECT_LT(token.logprob, 0.0f);
  ASSERT_EQ(token.top.size(), 3u);
  EXPECT_EQ(token.top[0].token_id, token.token_id);
}

TEST(EngineCore, CancelsWhileWaitingWhilePrefillingAndWhileDecoding) {
  CoreHarness harness(
      {.engine = {
           .num_blocks = 64, .max_context = 1024, .vocab_size = 101, .scheduling = {.max_sequences = 2}}});
  const RequestId decoding = harness.submit(toy_request(toy_tokens(20, 15), 100));
  EXPECT_EQ(harness.step(), "");
  EXPECT_EQ(harness.step(), "");
  const RequestId prefilling = harness.submit(toy_request(toy_tokens(500, 16), 5));
  const RequestId waiting = harness.submit(toy_request(toy_tokens(20, 17), 5));
  EXPECT_EQ(harness.step(), "");
  ASSERT_TRUE(harness.is_running(prefilling) && harness.is_running(decoding) && !harness.is_running(waiting));
  for (const RequestId id : {waiting, prefilling, decoding}) {
    harness.cancel(id);
    harness.cancel(id);  // twice is once
    EXPECT_EQ(harness.sink(id).num_finishes, 1);
    EXPECT_EQ(harness.sink(id).result->reason, StopReason::cancelled);
  }
  EXPECT_FALSE(harness.core().has_work());
  EXPECT_EQ(harness.stats().referenced_blocks, 0);
  EXPECT_EQ(harness.find_wrong_answer(decoding), "");
  EXPECT_EQ(harness.stats().finished[static_cast<std::size_t>(StopReason::cancelled)], 3u);
  harness.core().pool().drop_cache();
  EXPECT_EQ(harness.core().pool().num_free(), 64);
}

TEST(EngineCore, GoesOnAfterAPreemptionAsIfNothingHadHappened) {
  CoreHarness harness({.engine = {.num_blocks = 8, .max_context = 1024, .vocab_size = 101}});
  std::vector<RequestId> ids;
  for (std::uint64_t i = 0; i < 3; ++i) {
    Request request = toy_request(toy_tokens(20, 20 + i), 60);
    request.sampling.temperature = 1.0f;
    request.sampling.seed = i;
    request.sampling.repeat_penalty = 1.1f;
    ids.push_back(harness.submit(request));
  }
  EXPECT_EQ(harness.run(), "");
  EXPECT_GT(harness.stats().preemptions, 0u);
  for (const RequestId id : ids) EXPECT_EQ(harness.find_wrong_answer(id), "");
  const EngineStats stats = harness.stats();
  EXPECT_EQ(stats.prompt_tokens, 60u);
  EXPECT_EQ(stats.prompt_tokens, stats.cached_tokens + stats.computed_tokens - stats.recomputed_tokens);
}

TEST(EngineCore, FailsARequestThatCanNeverRun) {
  CoreHarness harness({.engine = {.num_blocks = 4, .max_context = 1024, .vocab_size = 101}});
  const BlockId lost = harness.core().pool().allocate();  // stands for a bug that leaks a block
  const RequestId big = harness.submit(toy_request(toy_tokens(60, 30), 2));
  harness.core().step();
  harness.core().deliver();
  EXPECT_EQ(harness.sink(big).result->reason, StopReason::failed);
  EXPECT_NE(harness.sink(big).result->error.find("does not fit"), std::string::npos);
  harness.core().pool().release(std::span(&lost, 1), Retention::keep);
}

TEST(EngineCore, MeasuresTimesFromTheSubmission) {
  CoreHarness harness({.engine = {.num_blocks = 64,
                                  .max_context = 1024,
                                  .vocab_size = 101,
                                  .scheduling = {.max_sequences = 1}},
                       .step_seconds = 0.01,
                       .prefill_token_seconds = 0.001});
  const RequestId first = harness.submit(toy_request(toy_tokens(20, 31), 4));
  const RequestId second = harness.submit(toy_request(toy_tokens(10, 32), 1));
  EXPECT_EQ(harness.run(), "");
  using std::chrono::milliseconds;
  EXPECT_EQ(harness.sink(first).result->queued, milliseconds(0));
  EXPECT_EQ(harness.sink(first).result->first_token, milliseconds(30));
  EXPECT_EQ(harness.sink(first).result->total, milliseconds(60));
  EXPECT_EQ(harness.sink(second).result->queued, milliseconds(60));
  EXPECT_EQ(harness.sink(second).result->first_token, milliseconds(80));
}

TEST(EngineCore, KeepsRunningRequestsThroughAModelErrorUntilTheyAreEnded) {
  CoreHarness harness({});
  const RequestId id = harness.submit(toy_request(toy_tokens(20, 33), 50));
  EXPECT_EQ(harness.step(), "");
  harness.runner().before_step = [](const backend::StepPlan&) { throw std::runtime_error("device lost"); };
  EXPECT_THROW(harness.core().step(), std::runtime_error);
  harness.core().finish_all(StopReason::failed, "The model stopped.");
  harness.core().deliver();
  EXPECT_EQ(harness.sink(id).num_finishes, 1);
  EXPECT_EQ(harness.sink(id).result->error, "The model stopped.");
  EXPECT_EQ(harness.stats().referenced_blocks, 0);
}

}  // namespace
}  // namespace parley::inference::engine
