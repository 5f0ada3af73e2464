#include "app/cli/tool_cost.h"

#include <gtest/gtest.h>

#include "orchestration/jinja/template.h"
#include "tests/app/cli/tiny_model_file.h"
#include "tests/orchestration/turn/toy_text.h"
#include "tests/orchestration/turn/toy_tool.h"

namespace parley::app::cli {
namespace {

namespace turn = orchestration::turn;
using turn::ToolProfile;

turn::ModelInfo model_with(ToolProfile profile, int max_context = 4000) {
  turn::ModelInfo info;
  info.name = "toy";
  info.max_context = max_context;
  info.tool_profile = profile;
  return info;
}

class ToolCostTest : public testing::Test {
 protected:
  ToolCost counted(const turn::ModelInfo& model) { return count_tool_tokens(prompts_, model, tools_); }

  turn::ToyPromptBuilder prompts_;
  OfferedTools tools_ = turn::toy_tools();
};

TEST_F(ToolCostTest, IsWhatToolsAddToThePromptOfAModelThatIsShownThem) {
  const ToolCost cost = counted(model_with(ToolProfile::native));
  EXPECT_EQ(cost.tokens, std::string("T(get_weather,calculator)").size());
  EXPECT_EQ(to_text(cost), "toy (native): 25 tokens in every prompt\n");
}

TEST_F(ToolCostTest, IsTheRoutersListForOneThatIsAskedFirst) {
  const ToolCost cost = counted(model_with(ToolProfile::weak));
  EXPECT_GT(cost.tokens, 300u);
  EXPECT_LT(cost.tokens, 1000u);
  EXPECT_TRUE(to_text(cost).starts_with("toy (weak): a router's list of ")) << to_text(cost);
}

TEST_F(ToolCostTest, IsNothingWithoutToolsOrCalls) {
  EXPECT_EQ(counted(model_with(ToolProfile::none)).tokens, 0u);
  EXPECT_EQ(count_tool_tokens(prompts_, model_with(ToolProfile::native), {}).tokens, 0u);
}

TEST_F(ToolCostTest, SaysWhyThereIsNoFigure) {
  EXPECT_NE(counted(model_with(ToolProfile::native, 20)).not_measured.find("do not fit"), std::string::npos);
  class Refusing final : public orchestration::prompt::PromptBuilder {
   public:
    std::variant<orchestration::prompt::Prompt, orchestration::prompt::PromptTooLong> build(
        const orchestration::prompt::PromptRequest&) const override {
      throw orchestration::jinja::TemplateError("no tools here");
    }
    std::string render(const std::vector<orchestration::prompt::ChatMessage>&, std::string_view,
                       orchestration::prompt::GenerationPrompt) const override {
      return {};
    }
  };
  const ToolCost cost = count_tool_tokens(Refusing(), model_with(ToolProfile::native), tools_);
  EXPECT_NE(to_text(cost).find("the model's chat template refuses them: no tools here"), std::string::npos);
}

TEST_F(ToolCostTest, TimesARealModelOnThisMachine) {
  const TinyModelFile file;
  models::OpenedModel model = models::open_model({.name = "tiny", .file = file.path()});
  model.tool_profile = ToolProfile::weak;
  const ToolCost cost = measure_tool_cost(std::move(model), tools_);
  ASSERT_GT(cost.tokens, 0u) << cost.not_measured;
  ASSERT_TRUE(cost.seconds) << cost.not_measured;
  EXPECT_GT(*cost.seconds, 0);
  EXPECT_LT(*cost.seconds, 10) << "a model of some thousand parameters";
}

TEST(AboutSeconds, HasAsManyDigitsAsItIsWorth) {
  EXPECT_EQ(about_seconds(0.04), "less than 0.1 s");
  EXPECT_EQ(about_seconds(0.96), "about 1.0 s");
  EXPECT_EQ(about_seconds(2.34), "about 2.3 s");
  EXPECT_EQ(about_seconds(43.4), "about 43 s");
}

}  // namespace
}  // namespace parley::app::cli
