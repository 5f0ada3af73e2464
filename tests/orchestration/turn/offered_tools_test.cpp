// Which tools a conversation's next answer may call.
#include "orchestration/turn/offered_tools.h"

#include <gtest/gtest.h>

#include "orchestration/turn/tool_desk.h"
#include "tests/fakes/scripted_tool.h"
#include "tests/orchestration/turn/core_fixture.h"

namespace parley::orchestration::turn {
namespace {

class OfferedToolsTest : public CoreTest {
 protected:
  OfferedToolsTest() {
    ToolDeskParts parts;
    parts.current = [this] { return state_; };
    desk_ = std::make_unique<ToolDesk>(io_.executor(), std::move(parts));
    options_.tools = desk_.get();
    make_core();
  }
  std::vector<std::string> offered() {
    std::vector<std::string> names;
    for (const auto& tool : offer_tools(*core_, chat_).tools) names.push_back(tool->spec().name);
    return names;
  }
  using Names = std::vector<std::string>;

  std::shared_ptr<const tools::RegistryState> state_ = fakes::state_with(
      {std::make_shared<fakes::ScriptedTool>("b", "x"), std::make_shared<fakes::ScriptedTool>("a", "x")});
  std::unique_ptr<ToolDesk> desk_;
  sessions::Conversation chat_;
};

TEST_F(OfferedToolsTest, ANativeModelHasAllUnlessTheChatSaysOtherwise) {
  model_.set_profile(ToolProfile::native);
  EXPECT_EQ(offered(), (Names{"a", "b"}));
  chat_.settings.tools = Names{"b", "gone"};
  EXPECT_EQ(offered(), Names{"b"});
  chat_.settings.tools = Names{};
  EXPECT_EQ(offered(), Names{});
}

TEST_F(OfferedToolsTest, AWeakModelHasWhatTheUserSwitchedOn) {
  model_.set_profile(ToolProfile::weak);
  EXPECT_EQ(offered(), Names{});
  chat_.settings.tools = Names{"a"};
  EXPECT_EQ(offered(), Names{"a"});
}

TEST_F(OfferedToolsTest, AModelThatCannotCallHasNone) {
  model_.set_profile(ToolProfile::none);
  chat_.settings.tools = Names{"a"};
  EXPECT_EQ(offered(), Names{});
}

TEST_F(OfferedToolsTest, AnAnswerThatHasToCallMakesAsManyCallsAsMayRunAtOnce) {
  model_.set_profile(ToolProfile::native);
  tools::ToolLimits limits;
  limits.max_parallel = 7;
  state_ = fakes::state_with({}, {}, limits);
  EXPECT_EQ(offer_tools(*core_, chat_).max_calls, 7);
}

TEST_F(OfferedToolsTest, WithoutADeskThereAreNone) {
  options_.tools = nullptr;
  make_core();
  model_.set_profile(ToolProfile::native);
  EXPECT_EQ(offered(), Names{});
}

}  // namespace
}  // namespace parley::orchestration::turn
