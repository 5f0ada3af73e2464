#include <gtest/gtest.h>

#include <array>

#include <boost/json.hpp>

#include "tests/app/cli/program_run.h"
#include "tests/app/cli/tiny_model_file.h"

namespace parley::app::cli {
namespace {

TEST(BenchTest, MeasuresAModelAndPrintsOneObject) {
  const TinyModelFile file;
  const Outcome result = run({"bench", "--model", file.name(), "--prompt", "8", "--gen", "4", "--depth",
                              "0,1000", "--batch", "2", "--threads", "1", "--json"});
  ASSERT_EQ(result.status, 0) << result.err;
  const auto report = boost::json::parse(result.out).as_object();
  EXPECT_EQ(report.at("model"), "tiny");
  EXPECT_EQ(report.at("threads"), 1);
  EXPECT_EQ(report.at("prefill").at("prompt_tokens"), 8);
  EXPECT_EQ(report.at("decode").as_array().size(), 1u);
  EXPECT_EQ(report.at("skipped_depths").as_array(), (boost::json::array{1000}));
  EXPECT_EQ(report.at("batch").at(0).at("batch"), 2);
  // 64 dimensions, 32 of keys and values, 48 of feed-forward, 2 layers, 64 rows that are head and embedding.
  constexpr int kLayer = 2 * 64 + 2 * 64 * 64 + 2 * 32 * 64 + 3 * 48 * 64;
  EXPECT_EQ(report.at("weight_bytes_per_token").to_number<int>(), 4 * (64 * 64 + 2 * kLayer + 64));
  EXPECT_GT(report.at("resident_loaded_mb").as_double(), 1);
}

TEST(BenchTest, RefusesRunsThatAreLongerThanTheModelsContext) {
  const TinyModelFile file;  // for 256 tokens
  for (const auto& [prompt, gen, words] :
       {std::array{"250", "7", "a prompt of 250 tokens and --gen 7"},
        std::array{"1", "241", "a prompt of 16 tokens and --gen 241"}}) {  // decoding begins behind 16
    const Outcome result = run({"bench", "--model", file.name(), "--prompt", prompt, "--gen", gen});
    EXPECT_EQ(result.status, 2);
    EXPECT_NE(result.err.find(words), std::string::npos) << result.err;
    EXPECT_NE(result.err.find("context of 256"), std::string::npos) << result.err;
  }
}

TEST(BenchTest, RefusesPlansThatCannotBe) {
  for (const Arguments& wrong :
       {Arguments{"--gen", "1"}, Arguments{"--batch", "0"}, Arguments{"--depth", "1,x"}}) {
    Arguments arguments{"bench", "--model", "none.gguf"};
    arguments.insert(arguments.end(), wrong.begin(), wrong.end());
    const Outcome result = run(arguments);
    EXPECT_EQ(result.status, 2) << wrong.front();
    EXPECT_NE(result.err.find(wrong.front()), std::string::npos) << result.err;
  }
}

// Its tokens are capitals, digits and signs, but no braces, so that no document can be written.
TEST(BenchTest, MeasuresConstraintsOverAVocabularyWithoutRunningTheModel) {
  const TinyModelFile file;
  const Outcome result = run({"bench", "--grammar", "--model", file.name(), "--json"});
  ASSERT_EQ(result.status, 0) << result.err;
  const auto report = boost::json::parse(result.out).as_object();
  EXPECT_EQ(report.at("model"), "tiny");
  EXPECT_EQ(report.at("vocabulary_tokens"), TinyModelFile::kNumTokens);
  EXPECT_GT(report.at("compile_100_tools_warm_milliseconds").as_double(), 0);
  EXPECT_TRUE(report.at("schemas").as_array().empty());
  EXPECT_NE(run({"bench", "--grammar", "--model", file.name()}).out.find("compiling 100 tools"),
            std::string::npos);
}

TEST(BenchTest, RefusesOptionsOfARunWhereNoModelIsRun) {
  const Outcome result = run({"bench", "--grammar", "--model", "none.gguf", "--depth", "0"});
  EXPECT_EQ(result.status, 2);
  EXPECT_NE(result.err.find("--depth does not go with --grammar"), std::string::npos) << result.err;
}

}  // namespace
}  // namespace parley::app::cli
