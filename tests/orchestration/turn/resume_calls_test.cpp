// Decisions that come when the turn of the call has ended, or the tools are others by then.
#include "orchestration/turn/resume_calls.h"

#include <gtest/gtest.h>

#include <atomic>

#include "tests/orchestration/turn/failing_store.h"
#include "tests/orchestration/turn/tool_turn_fixture.h"

namespace parley::orchestration::turn {
namespace {

class ResumeCallsTest : public ToolTurnTest {
 protected:
  void SetUp() override {
    ToolTurnTest::SetUp();
    auto store = std::make_unique<FailingStore>();
    failing_ = store.get();
    hub_.reset();
    open_hub(std::move(store));
  }
  void TearDown() override {
    failing_->fail_writes = false;
    ToolTurnTest::TearDown();
  }

  // Ends the server while these calls wait; a client of the next one.
  std::unique_ptr<FollowingClient> wait_and_restart(std::vector<ScriptedCall> calls) {
    const std::size_t last = calls.size() - 1;
    rounds({std::move(calls)});
    create();
    {
      FollowingClient client(io_, *hub_, test_uuid(1));
      send(test_uuid(1), 10);
      io_.run_until([&] { return has_call_in(client, CallState::awaiting_approval, last); });
    }
    restart();
    auto client = std::make_unique<FollowingClient>(io_, *hub_, test_uuid(1));
    io_.run_until([&] { return has_call_in(*client, CallState::awaiting_approval, last); });
    return client;
  }
  ToolCall stored_call(std::size_t index = 0) { return path(test_uuid(1)).at(1).calls.at(index); }

  // Plans are made only when it is destroyed.
  struct PlansHeld {
    explicit PlansHeld(ToolDesk& desk) {
      for (int thread = 0; thread < 8; ++thread) {  // more than there are
        boost::asio::post(desk.planning_threads(), [go_on = go_on] {
          tests::fakes::eventually([&] { return go_on->load(); }, std::chrono::seconds(20));
        });
      }
    }
    ~PlansHeld() { *go_on = true; }
    std::shared_ptr<std::atomic<bool>> go_on = std::make_shared<std::atomic<bool>>(false);
  };

  const std::vector<ScriptedCall> clock_call_ = {{"clock", R"({"zone":"UTC"})", ""}};
  FailingStore* failing_ = nullptr;
};

TEST_F(ResumeCallsTest, AToolThatHasChangedIsShownBeforeItRuns) {
  const auto client = wait_and_restart(clock_call_);
  clock_->spec_.definition_hash = "another";
  const CommandError error = error_of(decide(*client, CallDecision::always));
  EXPECT_EQ(error.code, Code::conflict);
  EXPECT_NE(error.message.find("has changed"), std::string::npos);
  EXPECT_EQ(stored_call().state, CallState::awaiting_approval);
  EXPECT_EQ(stored_call().definition, "another");
  EXPECT_EQ(clock_->runs, 0);
  EXPECT_EQ(desk_->decide(clock_->spec(), test_uuid(1)), Decision::ask);
  value_of(decide(*client, CallDecision::once));  // now that it was shown
  wait_for_end(test_uuid(1));
  EXPECT_EQ(clock_->runs, 1);
}

TEST_F(ResumeCallsTest, ADecisionThatCameBeforeTheChangeIsNoneWhenItIsSentAgain) {
  const auto client = wait_and_restart(clock_call_);
  clock_->spec_.definition_hash = "another";
  DecideCommand command;
  command.id = make_uuid();
  command.conversation = test_uuid(1);
  command.message = client->view().messages.at(1).id;
  command.call = call_of(*client).id;
  command.decision = CallDecision::always;
  EXPECT_EQ(error_of(io_.run(hub_->decide(command))).code, Code::conflict);
  io_.run(hub_->decide(command));
  wait_for_end(test_uuid(1));
  EXPECT_EQ(clock_->runs, 0);
  EXPECT_EQ(stored_call().state, CallState::awaiting_approval);
}

TEST_F(ResumeCallsTest, OneThatSaysWhatWasShownIsRefusedAsOftenAsItIsSent) {
  const auto client = wait_and_restart(clock_call_);
  DecideCommand command;
  command.id = make_uuid();
  command.conversation = test_uuid(1);
  command.message = client->view().messages.at(1).id;
  command.call = call_of(*client).id;
  command.decision = CallDecision::once;
  command.definition = call_of(*client).definition;
  EXPECT_EQ(command.definition, "hash of clock");
  clock_->spec_.definition_hash = "another";
  for (int time = 0; time < 3; ++time) {
    const CommandError error = error_of(io_.run(hub_->decide(command)));
    EXPECT_EQ(error.code, Code::conflict);
    EXPECT_NE(error.message.find("has changed"), std::string::npos);
  }
  io_.run_until([&] { return call_of(*client).definition == "another"; });
  EXPECT_EQ(clock_->runs, 0);
  command.id = make_uuid();
  command.definition = "another";
  value_of(io_.run(hub_->decide(command)));
  wait_for_end(test_uuid(1));
  EXPECT_EQ(clock_->runs, 1);
}

TEST_F(ResumeCallsTest, AToolThatHasChangedCanBeDenied) {
  const auto client = wait_and_restart(clock_call_);
  clock_->spec_.definition_hash = "another";
  value_of(decide(*client, CallDecision::deny));
  wait_for_end(test_uuid(1));
  EXPECT_EQ(clock_->runs, 0);
  EXPECT_EQ(stored_call().state, CallState::denied);
}

TEST_F(ResumeCallsTest, AToolThatIsNotThereLeavesItsCallWaiting) {
  const auto client = wait_and_restart(clock_call_);
  const auto all = std::exchange(state_, fakes::state_with({weather_}));
  EXPECT_EQ(error_of(decide(*client, CallDecision::once)).code, Code::unavailable);
  EXPECT_EQ(stored_call().state, CallState::awaiting_approval);
  state_ = all;
  value_of(decide(*client, CallDecision::once));
  wait_for_end(test_uuid(1));
  EXPECT_EQ(clock_->runs, 1);
}

TEST_F(ResumeCallsTest, ACallWhoseToolNeedsNoQuestionAnyMoreRunsWithTheDecidedOne) {
  state_ = fakes::state_with({weather_, clock_});
  const auto client = wait_and_restart({clock_call_[0], {"weather", kInOslo, ""}});
  state_ = fakes::state_with({weather_, clock_}, {{"weather", "", Decision::automatic}});
  value_of(decide(*client, CallDecision::once));
  wait_for_end(test_uuid(1));
  EXPECT_EQ(clock_->runs, 1);
  EXPECT_EQ(weather_->runs, 1);
  EXPECT_EQ(stored_call(1).decision, "auto");
}

TEST_F(ResumeCallsTest, ADecisionThatComesWhileTheTurnGoesOnIsTakenToo) {
  state_ = fakes::state_with({weather_, clock_});
  const auto client = wait_and_restart({clock_call_[0], {"weather", kInOslo, ""}});
  {
    const PlansHeld held(*desk_);
    value_of(decide(*client, CallDecision::once));
    value_of(decide(*client, CallDecision::always, call_of(*client, 1).id));
  }
  wait_for_end(test_uuid(1));
  EXPECT_EQ(clock_->runs, 1);
  EXPECT_EQ(weather_->runs, 1);
  EXPECT_EQ(stored_call(1).decision, "always");
  EXPECT_EQ(desk_->decide(weather_->spec(), "another chat"), Decision::automatic);
  EXPECT_EQ(desk_->decide(clock_->spec(), "another chat"), Decision::ask);
}

TEST_F(ResumeCallsTest, OneOfAToolThatHasChangedMeanwhileIsNot) {
  state_ = fakes::state_with({weather_, clock_});
  const auto client = wait_and_restart({clock_call_[0], {"weather", kInOslo, ""}});
  weather_->spec_.definition_hash = "another";
  {
    const PlansHeld held(*desk_);
    value_of(decide(*client, CallDecision::once));
    value_of(decide(*client, CallDecision::always, call_of(*client, 1).id));
  }
  io_.run_until([&] { return call_of(*client, 1).definition == "another"; });
  io_.run_until([&] { return has_call_in(*client, CallState::done, 0); });
  EXPECT_TRUE(has_call_in(*client, CallState::awaiting_approval, 1)) << "it is shown anew";
  EXPECT_EQ(weather_->runs, 0);
  EXPECT_EQ(desk_->decide(weather_->spec(), test_uuid(1)), Decision::ask);
  value_of(decide(*client, CallDecision::once, call_of(*client, 1).id));
  wait_for_end(test_uuid(1));
  EXPECT_EQ(weather_->runs, 1);
}

TEST_F(ResumeCallsTest, ButDeniedItIs) {
  state_ = fakes::state_with({weather_, clock_});
  const auto client = wait_and_restart({clock_call_[0], {"weather", kInOslo, ""}});
  weather_->spec_.definition_hash = "another";
  {
    const PlansHeld held(*desk_);
    value_of(decide(*client, CallDecision::once));
    value_of(decide(*client, CallDecision::deny, call_of(*client, 1).id));
  }
  wait_for_end(test_uuid(1));
  EXPECT_EQ(clock_->runs, 1);
  EXPECT_EQ(stored_call(1).state, CallState::denied);
}

TEST_F(ResumeCallsTest, WhatCouldNotBeSavedIsSavedFirst) {
  rounds({{{"weather", kInOslo, ""}, clock_call_[0]}});
  weather_->on_run = [this](const auto&, const auto&) {
    failing_->fail_writes = true;
    ToolResult result;
    result.text = "rain";
    return result;
  };
  const auto id = create();
  FollowingClient client(io_, *hub_, id);
  send(id, 10);
  wait_for_end(id);
  failing_->fail_writes = false;
  io_.run_until([&] { return client.view().messages.at(1).status == MessageStatus::failed; });
  value_of(decide(client, CallDecision::once, call_of(client, 1).id));
  wait_for_end(id);
  send_and_wait(id, 11);
  EXPECT_EQ(stored_call(0).result, "rain");
  EXPECT_EQ(stored_call(1).state, CallState::done);
  EXPECT_EQ(clock_->runs, 1);
}

TEST_F(ResumeCallsTest, AStoreThatFailsLeavesNoCallAtWork) {
  rounds({{{"weather", kInOslo, ""}}});
  model_.answer = [this, calling = model_.answer](const ChatRequest& request) {
    failing_->fail_writes = true;
    return calling(request);
  };
  const auto id = create();
  FollowingClient client(io_, *hub_, id);
  send(id, 10);
  wait_for_end(id);
  io_.run_until([&] { return client.view().messages.at(1).status == MessageStatus::failed; });
  EXPECT_EQ(weather_->runs, 0);
  EXPECT_EQ(call_of(client).state, CallState::cancelled);
}

}  // namespace
}  // namespace parley::orchestration::turn
