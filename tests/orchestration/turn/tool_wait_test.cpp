// Questions that come while servers of tools are starting.
#include "orchestration/turn/tool_wait.h"

#include <gtest/gtest.h>

#include "tests/orchestration/turn/tool_turn_fixture.h"

namespace parley::orchestration::turn {
namespace {

using Names = std::vector<std::string>;

class ToolWaitTest : public ToolTurnTest {
 protected:
  void SetUp() override {
    options_.tool_patience = std::chrono::seconds(20);
    ToolTurnTest::SetUp();
    ready_ = state_;
    show_starting({});
  }
  void show_starting(const std::vector<tools::ToolPointer>& there) {
    auto state = std::make_shared<tools::RegistryState>(*fakes::state_with(there));
    state->starting = {"forecasts"};
    state_ = std::move(state);
  }
  void want(const std::string& conversation, const Names& names) {
    SettingsCommand command;
    command.id = make_uuid();
    command.conversation = conversation;
    command.tools.emplace(names);
    value_of(io_.run(hub_->change_settings(std::move(command))));
  }
  Names offered() const {
    Names names;
    for (const auto& tool : model_.requests.at(0).tools.tools) names.push_back(tool->spec().name);
    return names;
  }

  std::shared_ptr<const tools::RegistryState> ready_;
};

TEST_F(ToolWaitTest, AQuestionWaitsForTheToolsOfItsChat) {
  const auto id = create();
  want(id, {"weather"});
  send(id, 10, "Weather in Oslo?");
  io_.run_for(std::chrono::milliseconds(300));
  EXPECT_TRUE(model_.requests.empty());
  EXPECT_TRUE(hub_->answering(id));
  state_ = ready_;
  wait_for_end(id);
  EXPECT_EQ(offered(), Names{"weather"});
  EXPECT_EQ(path(id).back().text, "It rains.");
}

TEST_F(ToolWaitTest, StopEndsTheWait) {
  const auto id = create();
  want(id, {"weather"});
  const auto answer = send(id, 10);
  value_of(io_.run(hub_->stop(make_uuid(), id)));
  EXPECT_FALSE(hub_->answering(id));
  EXPECT_EQ(stored(id, answer).status, MessageStatus::stopped);
  EXPECT_TRUE(model_.requests.empty());
}

TEST_F(ToolWaitTest, ThePatienceIsBounded) {
  io_.run(hub_->shut_down(std::chrono::milliseconds(0)));
  hub_.reset();
  options_.tool_patience = std::chrono::milliseconds(200);
  open_hub(tests::fakes::make_memory_store());
  const auto id = create();
  want(id, {"weather"});
  const auto begin = std::chrono::steady_clock::now();
  rounds({});
  send_and_wait(id, 10);
  EXPECT_GE(std::chrono::steady_clock::now() - begin, std::chrono::milliseconds(200));
  EXPECT_TRUE(offered().empty());
}

TEST_F(ToolWaitTest, NobodyWaitsForWhatIsThereOrOff) {
  rounds({});
  const auto id = create();
  show_starting({weather_});
  want(id, {"weather"});
  send_and_wait(id, 10);
  EXPECT_EQ(offered(), Names{"weather"});
  want(id, {});
  send_and_wait(id, 11);
  const auto other = create(2);
  model_.set_profile(ToolProfile::weak);  // no tools where nobody has switched them on
  send_and_wait(other, 12);
  EXPECT_EQ(model_.requests.size(), 3u);
}

TEST_F(ToolWaitTest, AModelThatHasAllToolsWaitsForAllServers) {
  const auto id = create();
  show_starting({weather_});
  send(id, 10);
  io_.run_for(std::chrono::milliseconds(300));
  EXPECT_TRUE(model_.requests.empty());
  state_ = ready_;
  wait_for_end(id);
  EXPECT_EQ(offered().size(), 2u);
}

}  // namespace
}  // namespace parley::orchestration::turn
