#include "app/cli/grammar_bench.h"

#include <gtest/gtest.h>

#include <string>

#include <boost/json.hpp>

#include "app/cli/grammar_samples.h"
#include "tests/inference/tokenizer/tiny_vocabulary.h"

namespace parley::app::cli {
namespace {

using inference::tokenizer::make_tokenizer;
using inference::tokenizer::TinyVocabulary;

double figure(const boost::json::value& row, const std::string& key) {
  return row.at(key).to_number<double>();
}

TEST(GrammarBenchTest, MeasuresEveryTokenOfEveryDocument) {
  const auto report = bench_grammar(*make_tokenizer(TinyVocabulary().file()));
  EXPECT_EQ(report.at("vocabulary_tokens"), 256);
  EXPECT_TRUE(report.at("skipped_schemas").as_array().empty());
  const auto& rows = report.at("schemas").as_array();
  ASSERT_EQ(rows.size(), grammar_samples().size() + 1);
  std::size_t num_tokens = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const bool is_call = i == grammar_samples().size();
    const std::string document = is_call ? sample_call() : grammar_samples()[i].document;
    EXPECT_EQ(rows[i].at("schema"), is_call ? "prose and a call" : grammar_samples()[i].name);
    EXPECT_EQ(rows[i].at("tokens").to_number<std::size_t>(), document.size()) << "a token is a byte";
    num_tokens += document.size();
  }
  EXPECT_EQ(report.at("tokens").to_number<std::size_t>(), num_tokens);
}

TEST(GrammarBenchTest, PercentilesAscendAndUnitsAreInTheKeys) {
  const auto report = bench_grammar(*make_tokenizer(TinyVocabulary().file()));
  for (const std::string what : {"mask", "warm_mask", "verify", "warm_verify"}) {
    EXPECT_LE(figure(report, what + "_p50_microseconds"), figure(report, what + "_p99_microseconds")) << what;
    EXPECT_LE(figure(report, what + "_p99_microseconds"), figure(report, what + "_max_microseconds")) << what;
  }
  EXPECT_GT(figure(report, "mask_max_microseconds"), 0);
  EXPECT_GT(figure(report, "index_milliseconds"), 0);
  for (const std::string key : {"compile_1_tool", "compile_100_tools"}) {
    EXPECT_GT(figure(report, key + "_cold_milliseconds"), 0) << key;
    EXPECT_GT(figure(report, key + "_warm_milliseconds"), 0) << key;
  }
}

TEST(GrammarBenchTest, LeavesOutDocumentsThatTheVocabularyCannotWrite) {
  TinyVocabulary without_braces;
  for (const char brace : {'{', '}'})
    without_braces.names()[static_cast<unsigned char>(brace)] = std::string(8, brace);
  const auto report = bench_grammar(*make_tokenizer(without_braces.file()));
  EXPECT_TRUE(report.at("schemas").as_array().empty());
  EXPECT_EQ(report.at("skipped_schemas").as_array().size(), grammar_samples().size() + 1);
  EXPECT_EQ(report.at("tokens"), 0);
}

}  // namespace
}  // namespace parley::app::cli
