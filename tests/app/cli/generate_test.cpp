#include <gtest/gtest.h>

#include <boost/json.hpp>

#include "tests/app/cli/program_run.h"
#include "tests/app/cli/tiny_model_file.h"

namespace parley::app::cli {
namespace {

class GenerateCommandTest : public testing::Test {
 protected:
  Outcome generate(const Arguments& more) {
    Arguments arguments{"generate", "--model", file_.name(), "--threads", "1", "--max-tokens", "6"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run(arguments);
  }
  boost::json::object generate_json(Arguments more) {
    more.emplace_back("--json");
    const Outcome result = generate(more);
    EXPECT_EQ(result.status, 0) << result.err;
    return boost::json::parse(result.out).as_object();
  }

  static std::string text_of(const boost::json::object& answer) {
    return std::string(answer.at("text").as_string());
  }

  TinyModelFile file_;
};

TEST_F(GenerateCommandTest, AnswersTheSameForTextAndForItsIds) {
  const auto of_text = generate_json({"--prompt", "!\"#"});
  const auto of_ids = generate_json({"--ids", "0,1,2"});
  EXPECT_EQ(of_text.at("ids"), of_ids.at("ids"));
  ASSERT_EQ(of_text.at("ids").as_array().size(), 6u);
  std::string text;
  for (const auto& id : of_text.at("ids").as_array()) text += static_cast<char>('!' + id.to_number<int>());
  EXPECT_EQ(text_of(of_text), text);
  EXPECT_EQ(of_text.at("stop_reason"), "length");
  EXPECT_EQ(of_text.at("usage").at("prompt_tokens"), 3);
  EXPECT_EQ(of_text.at("usage").at("completion_tokens"), 6);
  EXPECT_FALSE(of_text.contains("logprobs"));
  EXPECT_EQ(generate({"--prompt", "!\"#"}).out, text + "\n");
}

TEST_F(GenerateCommandTest, StopsBeforeTheText) {
  const std::string whole = text_of(generate_json({"--prompt", "!"}));
  const std::string stop = whole.substr(2, 1);
  const auto stopped = generate_json({"--prompt", "!", "--stop", stop});
  EXPECT_EQ(text_of(stopped), whole.substr(0, whole.find(stop)));
  EXPECT_EQ(stopped.at("stop_reason"), "stop");
}

TEST_F(GenerateCommandTest, ListsTheLikeliestTokens) {
  const auto rows = generate_json({"--prompt", "!", "--logprobs", "2"}).at("logprobs").as_array();
  ASSERT_EQ(rows.size(), 6u);
  for (const auto& row : rows) {
    ASSERT_EQ(row.at("top").as_array().size(), 2u);
    EXPECT_EQ(row.at("top").at(0).at("id"), row.at("id")) << "greedy takes the likeliest";
    EXPECT_LE(row.at("logprob").to_number<double>(), 0);
  }
}

TEST_F(GenerateCommandTest, SameSeedSameAnswer) {
  const Arguments warm{"--prompt", "!", "--temperature", "2", "--seed", "5"};
  EXPECT_EQ(generate_json(warm).at("ids"), generate_json(warm).at("ids"));
}

TEST_F(GenerateCommandTest, SaysWhatIsWrong) {
  const std::pair<Arguments, const char*> mistakes[] = {
      {{}, "exactly one of --prompt, --ids and --messages"},
      {{"--prompt", "!", "--ids", "1"}, "exactly one of --prompt, --ids and --messages"},
      {{"--ids", "64"}, "--ids expects a number from 0 to 63"},
      {{"--prompt", "!", "--kv-type", "f8"}, "--kv-type expects f16 or f32"},
      {{"--prompt", "!", "--temperature", "nan"}, "--temperature expects"}};
  for (const auto& [arguments, words] : mistakes) {
    const Outcome result = generate(arguments);
    EXPECT_EQ(result.status, 2) << words;
    EXPECT_NE(result.err.find(words), std::string::npos) << result.err;
  }
  const Outcome missing = generate({"--messages", "/nonexistent.json"});
  EXPECT_EQ(missing.status, 1);
  EXPECT_NE(missing.err.find("cannot read /nonexistent.json"), std::string::npos) << missing.err;
}

}  // namespace
}  // namespace parley::app::cli
