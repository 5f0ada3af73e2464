// Runs of tokens that a constraint forces: appended at once and computed in one step, and the answer is the
// one that drawing them one by one gives.

#include <gtest/gtest.h>

#include <variant>

#include "inference/grammar/schema_grammar.h"
#include "inference/json/json.h"
#include "tests/fakes/toy_constraint.h"
#include "tests/inference/engine/core_harness.h"
#include "tests/inference/engine/sequence_maker.h"
#include "tests/inference/grammar/merging_vocabulary.h"

namespace parley::inference::engine {
namespace {

constexpr int kMostlyForced = 90;  // of a hundred places

Request half_free(std::vector<std::int32_t> prompt, int max_tokens, int length = 0) {
  Request request = toy_request(std::move(prompt), max_tokens);
  request.constraint = std::make_shared<fakes::ToyConstraint>(101, length, 5, kMostlyForced);
  return request;
}

CoreHarness::Options options_with(ForcedRuns runs) {
  CoreHarness::Options options;
  options.engine.forced_runs = runs;
  return options;
}

TEST(ForcedRuns, GiveTheTokensOfDrawingOneByOneInFewerSteps) {
  for (const float temperature : {0.0f, 0.9f}) {
    Request request = half_free(toy_tokens(40, 1), 200);
    request.sampling.temperature = temperature;
    request.sampling.repeat_penalty = 1.2f;
    request.sampling.seed = 7;
    CoreHarness drawn(options_with(ForcedRuns::drawn));
    CoreHarness appended(options_with(ForcedRuns::appended));
    const RequestId id = drawn.submit(request);
    ASSERT_EQ(appended.submit(request), id);
    EXPECT_EQ(drawn.run(), "");
    EXPECT_EQ(appended.run(), "");
    EXPECT_EQ(appended.sink(id).tokens, drawn.sink(id).tokens);
    EXPECT_EQ(appended.sink(id).tokens.size(), 200u);
    EXPECT_EQ(appended.find_wrong_answer(id), "");
    EXPECT_EQ(appended.sink(id).result->reason, StopReason::max_tokens);
    EXPECT_LT(2 * appended.stats().steps, drawn.stats().steps);
    EXPECT_GT(appended.sink(id).result->forced_tokens, 100);
    EXPECT_EQ(drawn.sink(id).result->forced_tokens, 0);
    EXPECT_EQ(appended.stats().generated_tokens, 200u);
    EXPECT_EQ(appended.stats().forced_tokens,
              static_cast<std::uint64_t>(appended.sink(id).result->forced_tokens));
    EXPECT_EQ(appended.stats().computed_tokens, 40u) << "of the prompt; what is generated does not count";
  }
}

TEST(ForcedRuns, EndWhereTheAnswerHasToEnd) {
  CoreHarness::Options options;
  options.engine.max_context = 300;
  for (int max_tokens = 1; max_tokens < 60; ++max_tokens) {
    CoreHarness harness(options);
    const RequestId limited = harness.submit(half_free(toy_tokens(20, 2), max_tokens));
    const RequestId complete = harness.submit(half_free(toy_tokens(20, 3), 0, max_tokens));
    const RequestId full = harness.submit(half_free(toy_tokens(300 - max_tokens, 4), 0));
    ASSERT_EQ(harness.run(), "") << max_tokens;
    for (const RequestId id : {limited, complete, full}) {
      ASSERT_EQ(harness.find_wrong_answer(id), "") << max_tokens;
      ASSERT_EQ(harness.sink(id).result->completion_tokens, max_tokens);
    }
    ASSERT_EQ(harness.sink(limited).result->reason, StopReason::max_tokens);
    ASSERT_EQ(harness.sink(complete).result->reason, StopReason::stop_token);
    ASSERT_EQ(harness.sink(full).result->reason, StopReason::context_end);
    ASSERT_EQ(harness.stats().referenced_blocks, 0);
  }
}

TEST(ForcedRuns, LeaveIdsThatStopToBeDrawn) {
  const Request whole = half_free(toy_tokens(20, 5), 100);
  const std::vector<std::int32_t> tokens = fakes::toy_answer({}, whole, 1024).tokens;
  for (std::size_t place = 0; place < tokens.size(); place += 7) {
    Request request = whole;
    request.stop_ids = {tokens[place]};
    CoreHarness harness({});
    const RequestId id = harness.submit(request);
    ASSERT_EQ(harness.run(), "");
    ASSERT_EQ(harness.find_wrong_answer(id), "");
    ASSERT_EQ(harness.sink(id).result->reason, StopReason::stop_token);
    ASSERT_LE(harness.sink(id).tokens.size(), place);
  }
}

TEST(ForcedRuns, AreDrawnWhereLogprobsAreAskedFor) {
  Request request = half_free(toy_tokens(20, 6), 50);
  request.num_logprobs = 2;
  CoreHarness harness({});
  const RequestId id = harness.submit(request);
  EXPECT_EQ(harness.run(), "");
  EXPECT_EQ(harness.find_wrong_answer(id), "");
  EXPECT_EQ(harness.sink(id).result->forced_tokens, 0);
  for (const GeneratedToken& token : harness.sink(id).generated) {
    EXPECT_LT(token.logprob, 0.0f);
    EXPECT_EQ(token.top.size(), 2u);
  }
}

TEST(ForcedRuns, AreDeliveredWithTheTokenBeforeThem) {
  CoreHarness harness({});
  const RequestId id = harness.submit(half_free(toy_tokens(20, 7), 100));
  std::size_t most_at_once = 0;
  for (std::size_t before = 0; harness.core().has_work(); before = harness.sink(id).tokens.size()) {
    ASSERT_EQ(harness.step(), "");
    most_at_once = std::max(most_at_once, harness.sink(id).tokens.size() - before);
  }
  EXPECT_GT(most_at_once, 5u);
}

// Blocks for one long run are short, and half of what a step may prefill is for prompts.
TEST(ForcedRuns, LetOthersRunBesideThem) {
  CoreHarness harness({.engine = {.num_blocks = 20,
                                  .max_context = 400,
                                  .vocab_size = 101,
                                  .scheduling = {.max_sequences = 6, .max_step_tokens = 12}}});
  std::vector<RequestId> ids;
  for (std::uint64_t i = 0; i < 6; ++i) {
    ids.push_back(harness.submit(half_free(toy_tokens(30, 20 + i), 120)));
    ids.push_back(harness.submit(toy_request(toy_tokens(50, 40 + i), 60)));
  }
  EXPECT_EQ(harness.run(), "");
  for (const RequestId id : ids) EXPECT_EQ(harness.find_wrong_answer(id), "");
  EXPECT_GT(harness.stats().preemptions, 0u);
  EXPECT_GT(harness.stats().forced_tokens, 300u);
}

TEST(ForcedRuns, AreComputedInOneStepAsFarAsItsBudgetAndBlocksReach) {
  EngineStats stats;
  BlockPool pool(3);
  Scheduler scheduler({}, pool, stats);
  scheduler.add(make_sequence(1, 20));
  const auto step = [&] {
    const Chunk chunk = scheduler.next().front();
    scheduler.commit(chunk);
    scheduler.observe({chunk.num_tokens, 0, 0.0}, 0.001);
    return chunk;
  };
  EXPECT_EQ(step().num_tokens, 20);
  Sequence& sequence = *const_cast<Sequence*>(scheduler.find(1));
  sequence.append(1);
  for (int i = 0; i < 9; ++i) sequence.append_forced(2);
  EXPECT_TRUE(sequence.is_decoding());
  const Chunk whole = step();
  EXPECT_EQ(whole.num_tokens, 10);
  EXPECT_EQ(sequence.remaining(), 0);
  sequence.append(3);
  for (int i = 0; i < 40; ++i) sequence.append_forced(4);
  EXPECT_EQ(step().num_tokens, 18) << "48 rows fit into three blocks";
  EXPECT_EQ(sequence.remaining(), 23);
}

// A model that wants to write a text, and takes the first token that is allowed where it may not.
class Writer final : public ModelRunner {
 public:
  Writer(std::size_t num_prompt, std::vector<std::int32_t> text)
      : num_prompt_(num_prompt), text_(std::move(text)) {}

  std::vector<backend::SampledToken> run(const backend::StepPlan& plan,
                                         const backend::SamplePlan& sampling) override {
    ++num_steps;
    next_ = static_cast<std::size_t>(plan.sequences.front().first_position + plan.sequences.front().num_rows);
    return draw_again(sampling);
  }
  std::vector<backend::SampledToken> draw_again(const backend::SamplePlan& sampling) override {
    std::vector<backend::SampledToken> drawn;
    for (const backend::SampleRow& row : sampling) {
      std::int32_t token = text_.at(next_ - num_prompt_);
      for (std::int32_t id = 0; !is_allowed(row, token); ++id) token = id;
      drawn.push_back({.token_id = token, .top = {}});
    }
    return drawn;
  }

  int num_steps = 0;

 private:
  static bool is_allowed(const backend::SampleRow& row, std::int32_t token) {
    const auto bit = static_cast<std::size_t>(token);
    return row.allowed.empty() || (row.allowed[bit / 64] >> (bit % 64) & 1) != 0;
  }

  const std::size_t num_prompt_;
  const std::vector<std::int32_t> text_;
  std::size_t next_ = 0;
};

struct Written {
  std::vector<std::int32_t> tokens;
  int num_steps = 0;
};

Written write(const Request& request, const std::vector<std::int32_t>& text, int vocab_size,
              ForcedRuns runs) {
  auto* writer = new Writer(request.prompt.size(), text);
  EngineCore core(std::unique_ptr<ModelRunner>(writer),
                  {.num_blocks = 8, .max_context = 128, .vocab_size = vocab_size, .forced_runs = runs});
  const auto sink = std::make_shared<fakes::RecordingSink>();
  core.add({1, request, sink, Clock::now()});
  while (core.has_work()) core.step();
  const int num_steps = writer->num_steps;
  core.deliver();
  return {sink->tokens, num_steps};
}

// By a schema's grammar and a tokenizer: greedy, so the model's own spelling of the text is the one to keep.
TEST(ForcedRuns, OfAGrammarAreSpelledAsTheModelSpellsThem) {
  const grammar::MergingVocabulary words;
  const auto schema = json::parse_json(R"({"type":"object","properties":{"name":{"enum":["1"]}},
      "required":["name"],"additionalProperties":false})",
                                       {.max_bytes = 200});
  const auto compiled = grammar::compile_schema(std::get<json::JsonValue>(schema), {.max_white_space = 1});
  Request request = toy_request(words.tokens({"x"}), 100);
  request.constraint =
      grammar::make_constraint(std::get<grammar::SchemaGrammar>(compiled).grammar, words.shared_index());
  request.stop_ids = {words.end()};
  const auto& tokenizer = words.index().tokenizer();
  std::vector<std::int32_t> text = tokenizer.encode(R"({"name": "1"})");
  text.push_back(words.end());
  const Written drawn = write(request, text, tokenizer.vocab_size(), ForcedRuns::drawn);
  const Written appended = write(request, text, tokenizer.vocab_size(), ForcedRuns::appended);
  EXPECT_EQ(tokenizer.decode(drawn.tokens, true), R"({"name": "1"})");
  EXPECT_EQ(appended.tokens, drawn.tokens);
  EXPECT_LT(appended.num_steps, drawn.num_steps);
}

}  // namespace
}  // namespace parley::inference::engine
