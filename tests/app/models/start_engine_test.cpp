#include "app/models/start_engine.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include "tests/fakes/message_of.h"
#include "tests/fakes/recording_sink.h"
#include "tests/fakes/temp_directory.h"
#include "tests/fakes/tiny_model.h"

namespace parley::app::models {
namespace {

constexpr std::size_t kBlockBytes = 1u << 20;

std::function<std::size_t()> free_bytes(std::size_t bytes) {
  return [bytes] { return bytes; };
}

std::size_t unknown_free_bytes() { throw std::runtime_error("not to be asked"); }

TEST(ChooseNumBlocks, TakesAQuarterOfFreeMemory) {
  LoadOptions options;
  EXPECT_EQ(choose_num_blocks(options, kBlockBytes, free_bytes(4000 * kBlockBytes), 8192), 1000);
}

TEST(ChooseNumBlocks, HoldsAtLeastOneContext) {
  LoadOptions options;
  EXPECT_EQ(choose_num_blocks(options, kBlockBytes, free_bytes(0), 8192), 8192 / 16 + 1);
}

TEST(ChooseNumBlocks, TakesNoMoreThanAllSequencesCanUse) {
  LoadOptions options;
  options.max_sequences = 3;
  EXPECT_EQ(choose_num_blocks(options, 1024, free_bytes(std::size_t{1} << 40), 160), 4 * 10);
  options.kv_memory = std::size_t{1} << 40;
  EXPECT_EQ(choose_num_blocks(options, 1024, unknown_free_bytes, 160), 4 * 10);
}

TEST(ChooseNumBlocks, TakesWhatIsAskedForWithoutAskingWhatIsFree) {
  LoadOptions options;
  options.kv_memory = 7 * kBlockBytes + 5;
  EXPECT_EQ(choose_num_blocks(options, kBlockBytes, unknown_free_bytes, 8192), 7);
  options.kv_memory = 2 * kBlockBytes;
  EXPECT_EQ(choose_num_blocks(options, kBlockBytes, unknown_free_bytes, 8192), 2);
  options.kv_memory = 2 * kBlockBytes - 1;
  EXPECT_THROW(choose_num_blocks(options, kBlockBytes, unknown_free_bytes, 8192), std::runtime_error);
}

// A model of 64 random rows whose tokenizer has `num_tokens` tokens: bytes from 33 on.
class StartEngineTest : public testing::Test {
 protected:
  void write_model(int num_tokens, bool tied) {
    tests::fakes::TinyModel model({.hidden_dim = 64, .tied = tied});
    std::vector<std::string> names;
    for (int id = 0; id < num_tokens; ++id) names.emplace_back(1, static_cast<char>('!' + id));
    model.writer().add("tokenizer.ggml.model", "gpt2").add("tokenizer.ggml.pre", "gpt-2");
    model.writer().add_array("tokenizer.ggml.tokens", names);
    model.writer().write(path_);
  }
  OpenedModel open() { return open_model({.name = "tiny", .file = path_}); }
  std::unique_ptr<inference::engine::Engine> start(OpenedModel& model,
                                                   const std::function<void(double)>& progress) {
    LoadOptions options;
    options.threads = 2;
    options.kv_memory = std::size_t{1} << 20;
    EngineReport report;
    return start_engine(model, options, progress, report);
  }
  static std::vector<inference::engine::GeneratedToken> generate(inference::engine::Engine& engine,
                                                                 inference::engine::Request request) {
    const auto sink = std::make_shared<tests::fakes::RecordingSink>();
    engine.submit(std::move(request), sink);
    EXPECT_EQ(sink->wait().reason, inference::engine::StopReason::max_tokens) << sink->result->error;
    return sink->generated;
  }
  static std::vector<std::int32_t> greedy_ids(inference::engine::Engine& engine) {
    std::vector<std::int32_t> ids;
    inference::engine::Request request;
    request.prompt = {1, 2, 3, 50};
    request.max_tokens = 100;
    request.sampling.temperature = 0;
    for (const auto& token : generate(engine, std::move(request))) ids.push_back(token.token_id);
    return ids;
  }

  tests::fakes::TempDirectory directory_;
  const std::filesystem::path path_ = directory_.path() / "tiny.gguf";
};

TEST_F(StartEngineTest, AnswersTheSameAfterItsFileWasOverwrittenAndEmptied) {
  for (const bool tied : {true, false}) {
    write_model(64, tied);
    OpenedModel model = open();
    const auto engine = start(model, {});
    EXPECT_EQ(model.file, nullptr);
    const std::vector<std::int32_t> before = greedy_ids(*engine);
    ASSERT_EQ(before.size(), 100u);

    const auto bytes = static_cast<std::streamoff>(std::filesystem::file_size(path_));
    std::fstream(path_, std::ios::in | std::ios::out | std::ios::binary)
        .write(std::string(static_cast<std::size_t>(bytes), '?').data(), bytes);
    ASSERT_EQ(std::filesystem::file_size(path_), static_cast<std::uintmax_t>(bytes)) << "in place";
    EXPECT_EQ(greedy_ids(*engine), before);
    std::filesystem::resize_file(path_, 0);
    EXPECT_EQ(greedy_ids(*engine), before);
    EXPECT_EQ(model.tokenizer->token_bytes(1), "\"");
    std::filesystem::remove(path_);
  }
}

// Qwen2.5: 151936 rows, 151665 tokens. The rows behind have by far the highest logits here (or the lowest),
// so that a draw which counts them in takes one of them.
TEST_F(StartEngineTest, NeverDrawsOrListsTheIdsBehindTheVocabulary) {
  constexpr std::size_t kRows = 151936, kTokens = 151665, kWidth = 32;
  tests::fakes::TinyModel model({.architecture = "qwen2",
                                 .num_layers = 1,
                                 .hidden_dim = kWidth,
                                 .num_heads = 2,
                                 .num_kv_heads = 1,
                                 .vocab_size = 1,
                                 .qkv_biases = true,
                                 .omit = {"token_embd.weight"}});
  std::mt19937 random(7);
  std::normal_distribution<float> normal;
  std::vector<float> table(kRows * kWidth);
  for (std::size_t i = 0; i < table.size(); ++i)
    table[i] = normal(random) * (i < kTokens * kWidth ? 0.2F : 50.0F);
  std::vector<std::string> names;
  for (std::size_t id = 0; id < kTokens; ++id) names.push_back("t" + std::to_string(id));
  model.writer().add("tokenizer.ggml.model", "gpt2").add("tokenizer.ggml.pre", "qwen2");
  model.writer().add_array("tokenizer.ggml.tokens", names);
  model.writer().add_f32("token_embd.weight", {kWidth, kRows}, table).write(path_);

  OpenedModel opened = open();
  const auto engine = start(opened, {});
  for (const float temperature : {0.0F, 1.0F, 3.0F}) {
    inference::engine::Request request;
    request.prompt = {1, 2, 3, static_cast<std::int32_t>(kRows) - 1};
    request.max_tokens = 20;
    request.num_logprobs = 20;
    request.sampling.temperature = temperature;
    request.sampling.repeat_penalty = 1.1F;
    for (const auto& token : generate(*engine, std::move(request))) {
      EXPECT_LT(token.token_id, static_cast<std::int32_t>(kTokens));
      EXPECT_EQ(opened.tokenizer->token_bytes(token.token_id), "t" + std::to_string(token.token_id));
      EXPECT_GT(token.logprob, -30.0F) << "a share of the tokens that exist";
      ASSERT_EQ(token.top.size(), 20u);
      for (const auto& top : token.top) EXPECT_LT(top.token_id, static_cast<std::int32_t>(kTokens));
    }
  }
  EXPECT_EQ(opened.tokenizer->token_bytes(kTokens), "");
}

TEST_F(StartEngineTest, RefusesAFileThatIsWrittenToWhileItLoads) {
  write_model(64, true);
  OpenedModel model = open();
  const auto grow = [&](double) { std::ofstream(path_, std::ios::app | std::ios::binary) << "more"; };
  EXPECT_EQ(tests::fakes::message_of([&] { start(model, grow); }),
            path_.string() + ": was written to while it was being loaded; load it again when it is complete");
}

TEST(FreeMemory, IsKnown) { EXPECT_GT(free_memory(), std::size_t{1} << 20); }

}  // namespace
}  // namespace parley::app::models
