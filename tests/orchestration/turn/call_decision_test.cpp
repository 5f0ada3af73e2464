// Calls that need the user, before and after a restart.
#include <gtest/gtest.h>

#include "tests/orchestration/turn/tool_turn_fixture.h"

namespace parley::orchestration::turn {
namespace {

using CallDecisionTest = ToolTurnTest;

TEST_F(CallDecisionTest, ACallThatNobodyAllowedWaits) {
  rounds({{{"clock", R"({"zone":"UTC"})", ""}}});
  const auto id = create();
  FollowingClient client(io_, *hub_, id);
  send(id, 10);
  io_.run_until([&] { return has_call_in(client, CallState::awaiting_approval); });
  EXPECT_EQ(call_of(client).preview.words.at(0), "clock");
  io_.run_for(std::chrono::milliseconds(50));
  EXPECT_EQ(clock_->runs, 0);
  EXPECT_EQ(path(id).at(1).calls.at(0).state, CallState::awaiting_approval);
  EXPECT_EQ(error_of(decide(client, CallDecision::once, test_uuid(77))).code, Code::not_found);
  value_of(decide(client, CallDecision::once));
  wait_for_end(id);
  EXPECT_EQ(clock_->runs, 1);
  EXPECT_EQ(path(id).at(1).calls.at(0).decision, "once");
  EXPECT_EQ(path(id).at(2).text, "It rains.");
}

TEST_F(CallDecisionTest, ADeniedCallIsAResultThatTheModelReads) {
  rounds({{{"clock", R"({"zone":"UTC"})", ""}}});
  const auto id = create();
  FollowingClient client(io_, *hub_, id);
  send(id, 10);
  io_.run_until([&] { return has_call_in(client, CallState::awaiting_approval); });
  value_of(decide(client, CallDecision::deny));
  wait_for_end(id);
  EXPECT_EQ(clock_->runs, 0);
  EXPECT_EQ(path(id).at(1).calls.at(0).state, CallState::denied);
  EXPECT_NE(model_.requests.at(1).messages.back().text.find("did not allow"), std::string::npos);
}

TEST_F(CallDecisionTest, AllowedForTheChatIsAllowedTheNextTimeAndOnlyThere) {
  rounds({{{"clock", R"({"zone":"UTC"})", ""}}, {{"clock", R"({"zone":"CET"})", ""}}});
  const auto id = create();
  FollowingClient client(io_, *hub_, id);
  send(id, 10);
  io_.run_until([&] { return has_call_in(client, CallState::awaiting_approval); });
  value_of(decide(client, CallDecision::chat));
  wait_for_end(id);
  EXPECT_EQ(path(id).at(2).calls.at(0).decision, "auto");
  EXPECT_EQ(clock_->runs, 2);
  EXPECT_EQ(desk_->decide(clock_->spec(), "another chat"), Decision::ask);
}

TEST_F(CallDecisionTest, WhatWasAllowedForAChatEndsWithIt) {
  const auto id = create();
  desk_->approve(clock_->spec(), id, tools::ApprovalScope::chat);
  value_of(io_.run(hub_->rename(make_uuid(), id, "Clocks")));
  EXPECT_EQ(desk_->decide(clock_->spec(), id), Decision::automatic);
  value_of(io_.run(hub_->set_deleted(make_uuid(), id, /*deleted=*/true)));
  value_of(io_.run(hub_->set_deleted(make_uuid(), id, /*deleted=*/false)));
  EXPECT_EQ(desk_->decide(clock_->spec(), id), Decision::ask);
}

TEST_F(CallDecisionTest, AChatThatCouldNotBeDeletedKeepsWhatWasAllowed) {
  const auto id = create();
  desk_->approve(clock_->spec(), id, tools::ApprovalScope::chat);
  EXPECT_EQ(error_of(io_.run(hub_->set_deleted("no uuid", id, /*deleted=*/true))).code, Code::invalid);
  EXPECT_EQ(desk_->decide(clock_->spec(), id), Decision::automatic);
}

TEST_F(CallDecisionTest, OneAnswerServesAllCallsOfThatToolThatWait) {
  rounds({{{"clock", R"({"zone":"UTC"})", ""}, {"clock", R"({"zone":"CET"})", ""}}});
  const auto id = create();
  FollowingClient client(io_, *hub_, id);
  send(id, 10);
  io_.run_until([&] { return has_call_in(client, CallState::awaiting_approval, 1); });
  value_of(decide(client, CallDecision::always));
  wait_for_end(id);
  EXPECT_EQ(clock_->runs, 2);
  EXPECT_EQ(path(id).at(1).calls.at(1).decision, "always");
}

TEST_F(CallDecisionTest, ARuleThatDeniesMeanwhileCannotBeAnsweredAway) {
  rounds({{{"clock", R"({"zone":"UTC"})", ""}}});
  const auto id = create();
  FollowingClient client(io_, *hub_, id);
  send(id, 10);
  io_.run_until([&] { return has_call_in(client, CallState::awaiting_approval); });
  state_ = fakes::state_with({weather_, clock_}, {{"clock", "", Decision::deny}});
  value_of(decide(client, CallDecision::always));
  wait_for_end(id);
  EXPECT_EQ(clock_->runs, 0);
  EXPECT_EQ(path(id).at(1).calls.at(0).state, CallState::denied);
  EXPECT_EQ(path(id).at(1).calls.at(0).decision, "denied");
  state_ = fakes::state_with({weather_, clock_});
  EXPECT_EQ(desk_->decide(clock_->spec(), id), Decision::ask);
}

TEST_F(CallDecisionTest, DenyingOneCallDeniesNoOther) {
  state_ = fakes::state_with({weather_, clock_});
  rounds({{{"clock", R"({"zone":"UTC"})", ""}, {"weather", kInOslo, ""}}});
  const auto id = create();
  FollowingClient client(io_, *hub_, id);
  send(id, 10);
  io_.run_until([&] { return has_call_in(client, CallState::awaiting_approval, 1); });
  desk_->approve(weather_->spec(), "another chat", tools::ApprovalScope::always);
  value_of(decide(client, CallDecision::deny));
  io_.run_until([&] { return has_call_in(client, CallState::denied); });
  EXPECT_TRUE(has_call_in(client, CallState::awaiting_approval, 1));
  value_of(decide(client, CallDecision::once, call_of(client, 1).id));
  wait_for_end(id);
  EXPECT_EQ(weather_->runs, 1);
}

TEST_F(CallDecisionTest, TimeThatPeopleTakeIsNotTheTurnsInAnyRound) {
  tools::ToolLimits limits;
  limits.loop_wall_time = std::chrono::milliseconds(700);
  state_ = fakes::state_with({weather_, clock_}, {}, limits);
  const auto call = [](const char* zone) {
    return std::vector<ScriptedCall>{{"clock", std::string(R"({"zone":")") + zone + "\"}", ""}};
  };
  rounds({call("UTC"), call("CET"), call("EET")});
  const auto id = create();
  FollowingClient client(io_, *hub_, id);
  send(id, 10);
  for (std::size_t round = 1; round <= 3; ++round) {
    io_.run_until([&] {
      const auto& messages = client.view().messages;
      return messages.size() > round && !messages[round].calls.empty() &&
             messages[round].calls[0].state == CallState::awaiting_approval;
    });
    io_.run_for(std::chrono::milliseconds(400));
    DecideCommand command;
    command.id = make_uuid();
    command.conversation = id;
    command.message = client.view().messages[round].id;
    command.call = client.view().messages[round].calls[0].id;
    command.decision = CallDecision::once;
    value_of(io_.run(hub_->decide(std::move(command))));
  }
  wait_for_end(id);
  EXPECT_EQ(path(id).back().text, "It rains.");
}

TEST_F(CallDecisionTest, ADeniedToolIsNotOffered) {
  state_ = fakes::state_with({weather_, clock_}, {{"clock", "", Decision::deny}});
  rounds({});
  const auto id = create();
  send_and_wait(id, 10);
  ASSERT_EQ(model_.requests.at(0).tools.tools.size(), 1u);
  EXPECT_EQ(model_.requests[0].tools.tools[0]->spec().name, "weather");
}

TEST_F(CallDecisionTest, ACallThatWaitsIsStillThereAfterARestartAndRunsOnceAllowed) {
  rounds({{{"clock", R"({"zone":"UTC"})", ""}}});
  const auto id = create();
  {
    FollowingClient client(io_, *hub_, id);
    send(id, 10);
    io_.run_until([&] { return has_call_in(client, CallState::awaiting_approval); });
  }
  restart();
  EXPECT_EQ(path(id).at(1).status, MessageStatus::interrupted);
  EXPECT_EQ(path(id).at(1).calls.at(0).state, CallState::awaiting_approval);
  FollowingClient client(io_, *hub_, id);
  io_.run_until([&] { return has_call_in(client, CallState::awaiting_approval); });
  EXPECT_EQ(error_of(io_.run(hub_->continue_answer(make_uuid(), id, path(id)[1].id))).code, Code::conflict);
  value_of(decide(client, CallDecision::once));
  wait_for_end(id);
  EXPECT_EQ(clock_->runs, 1);
  EXPECT_EQ(path(id).at(1).calls.at(0).state, CallState::done);
  EXPECT_EQ(path(id).at(2).text, "It rains.");
}

TEST_F(CallDecisionTest, ACallThatRanWhenTheServerEndedIsNotRunAgain) {
  weather_->wait_in_run();
  const auto id = create();
  {
    FollowingClient client(io_, *hub_, id);
    send(id, 10);
    io_.run_until([&] { return weather_->runs > 0; });
  }
  restart();
  EXPECT_EQ(path(id).at(1).calls.at(0).state, CallState::interrupted);
  const auto answer = path(id)[1].id;
  value_of(io_.run(hub_->continue_answer(make_uuid(), id, answer)));
  wait_for_end(id);
  EXPECT_EQ(weather_->runs, 1);
  EXPECT_NE(model_.requests.back().messages.back().text.find("not known"), std::string::npos);
  EXPECT_EQ(path(id).at(2).text, "It rains.");
}

}  // namespace
}  // namespace parley::orchestration::turn
