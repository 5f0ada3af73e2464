// What is read ahead is what the prompt of any first question begins with.
#include "orchestration/turn/prompt_prefix.h"

#include <gtest/gtest.h>

#include "tests/orchestration/turn/local_model_fixture.h"

namespace parley::orchestration::turn {
namespace {

class PromptPrefixTest : public LocalModelTest {
 protected:
  std::string prefix(const ChatRequest& request, int max_context = 4000) {
    return toy_text(question_prefix(prompts_, info_, request, max_context));
  }
  ChatRequest before_a_question() {
    ChatRequest request = request_with_tools();
    request.messages.clear();
    return request;
  }
  ChatRequest with_system_text(ChatRequest request, const std::string& text) {
    request.messages.emplace_back();
    request.messages.back().role = prompt::Role::system;
    request.messages.back().text = text;
    return request;
  }
  // What the model reads ahead; the prompt that the engine gets.
  std::string read_ahead(const ChatRequest& request) {
    reading_ahead_ = io_.run(model_->read_ahead(request));
    return reading_ahead_ ? prompt_of(0) : "";
  }

  ToyPromptBuilder prompts_;
  ModelInfo info_;
  std::unique_ptr<ReadAhead> reading_ahead_;
};

TEST_F(PromptPrefixTest, IsToolsAndSystemTextAndOneTokenOfAQuestion) {
  info_.tool_profile = ToolProfile::native;
  EXPECT_EQ(prefix(before_a_question()), "T(get_weather,calculator)u:a");
  EXPECT_EQ(prefix(with_system_text(before_a_question(), "Be brief.")),
            "T(get_weather,calculator)s:Be brief.;u:a");
  EXPECT_EQ(prefix(ChatRequest()), "u:a");
}

TEST_F(PromptPrefixTest, IsTheRoutersListWhereARouterGoesFirst) {
  open_with(ToolProfile::weak);
  info_.tool_profile = ToolProfile::weak;
  const std::string common = prefix(before_a_question());
  EXPECT_EQ(common.find("T("), std::string::npos) << "not the tools themselves";
  EXPECT_NE(common.find("calculator: Computes an expression"), std::string::npos) << common;
  EXPECT_TRUE(common.ends_with("u:Message: a")) << common;
  generate("none");
  read(request_with_tools("Will it rain?"));
  EXPECT_EQ(prompt_of(0).substr(0, common.size() - 1), common.substr(0, common.size() - 1));
}

TEST_F(PromptPrefixTest, IsEmptyWhereItDoesNotFit) {
  info_.tool_profile = ToolProfile::native;
  EXPECT_EQ(prefix(before_a_question(), 20), "");
}

TEST_F(PromptPrefixTest, GoesToTheEngineAsWorkForPauses) {
  open_with(ToolProfile::native);
  script_.until_cancelled = true;
  EXPECT_EQ(read_ahead(before_a_question()), "T(get_weather,calculator)u:a");
  EXPECT_EQ(engine_->request(0).purpose, inference::engine::Purpose::read_ahead);
  EXPECT_EQ(engine_->request(0).cache_salt, 0u) << "as questions, which find it";
  EXPECT_EQ(engine_->num_cancelled(), 0u);
  reading_ahead_.reset();
  EXPECT_EQ(engine_->num_cancelled(), 1u);
}

TEST_F(PromptPrefixTest, OutlivesTheModel) {
  open_with(ToolProfile::native);
  script_.until_cancelled = true;
  read_ahead(before_a_question());
  model_.reset();
  EXPECT_EQ(engine_->num_cancelled(), 0u);
  reading_ahead_.reset();
}

TEST_F(PromptPrefixTest, HasNoToolsThatTheModelIsNotShown) {
  open_with(ToolProfile::none);
  EXPECT_EQ(read_ahead(before_a_question()), "u:a");
}

TEST_F(PromptPrefixTest, IsNothingWhereTheTemplateOrTheEngineRefuses) {
  open_with(ToolProfile::native);
  EXPECT_EQ(read_ahead(with_system_text(before_a_question(), "refuse")), "");
  EXPECT_FALSE(reading_ahead_);
  script_.rejection.emplace();
  read_ahead(before_a_question());
  EXPECT_FALSE(reading_ahead_);
}

}  // namespace
}  // namespace parley::orchestration::turn
