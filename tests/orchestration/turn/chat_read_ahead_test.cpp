// When chats are read ahead, and when that ends.
#include "orchestration/turn/chat_read_ahead.h"

#include <gtest/gtest.h>

#include "tests/orchestration/turn/tool_turn_fixture.h"

namespace parley::orchestration::turn {
namespace {

using Names = std::vector<std::string>;
using SubscriptionPointer = std::unique_ptr<Subscription>;

class ChatReadAheadTest : public ToolTurnTest {
 protected:
  SubscriptionPointer open(const std::string& conversation) {
    return value_of_pointer(io_.run(hub_->subscribe(conversation, std::nullopt)));
  }
  static SubscriptionPointer value_of_pointer(CommandResult<SubscriptionPointer> result) {
    return std::move(std::get<SubscriptionPointer>(result));
  }
  void change(const std::string& conversation, std::optional<Names> tools) {
    SettingsCommand command;
    command.id = make_uuid();
    command.conversation = conversation;
    command.tools = std::move(tools);
    value_of(io_.run(hub_->change_settings(std::move(command))));
  }
  // How many are being read once all has been begun.
  int reading() {
    io_.run_for(std::chrono::milliseconds(5));
    return model_.num_reading();
  }
  Names last_tools() const {
    Names names;
    for (const auto& tool : model_.read_aheads.back().tools.tools) names.push_back(tool->spec().name);
    return names;
  }
};

TEST_F(ChatReadAheadTest, AChatWithToolsIsReadWhileItIsOpen) {
  const std::string chat = create();
  EXPECT_EQ(reading(), 0) << "nobody looks at it";
  auto first = open(chat);
  EXPECT_EQ(reading(), 1);
  EXPECT_EQ(last_tools(), (Names{"clock", "weather"}));
  EXPECT_TRUE(model_.read_aheads.back().messages.empty());
  auto second = open(chat);
  EXPECT_EQ(model_.read_aheads.size(), 1u) << "another tab changes nothing";
  first.reset();
  EXPECT_EQ(reading(), 1);
  second.reset();
  EXPECT_EQ(reading(), 0);
}

TEST_F(ChatReadAheadTest, AChangedSelectionTakesThePlaceOfTheOldOne) {
  const std::string chat = create();
  const auto tab = open(chat);
  change(chat, Names{"clock"});
  EXPECT_EQ(reading(), 1);
  EXPECT_EQ(last_tools(), Names{"clock"});
  change(chat, Names{});
  EXPECT_EQ(reading(), 0) << "without tools there is nothing to wait for";
  change(chat, std::nullopt);
  EXPECT_EQ(last_tools(), (Names{"clock", "weather"}));
}

TEST_F(ChatReadAheadTest, TheSystemTextIsPartOfIt) {
  const std::string chat = create();
  const auto tab = open(chat);
  SettingsCommand command;
  command.id = make_uuid();
  command.conversation = chat;
  command.system_prompt = "Be brief.";
  value_of(io_.run(hub_->change_settings(std::move(command))));
  EXPECT_EQ(reading(), 1);
  ASSERT_EQ(model_.read_aheads.back().messages.size(), 1u);
  EXPECT_EQ(model_.read_aheads.back().messages[0].text, "Be brief.");
}

TEST_F(ChatReadAheadTest, AWeakModelReadsOnlyWhatWasSwitchedOn) {
  model_.set_profile(ToolProfile::weak);
  const std::string chat = create();
  const auto tab = open(chat);
  EXPECT_EQ(reading(), 0);
  change(chat, Names{"weather"});
  EXPECT_EQ(reading(), 1);
  EXPECT_EQ(last_tools(), Names{"weather"});
}

TEST_F(ChatReadAheadTest, ChangedToolsAreReadInTheChatsThatAreOpen) {
  create(1);
  const std::string chat = create(2);
  const auto tab = open(chat);
  ASSERT_EQ(reading(), 1);
  state_ = fakes::state_with({clock_}, {});
  hub_->read_ahead();
  EXPECT_EQ(reading(), 1);
  EXPECT_EQ(model_.read_aheads.size(), 2u) << "not in the one that nobody looks at";
  EXPECT_EQ(last_tools(), Names{"clock"});
  state_ = fakes::state_with({clock_}, {{"clock", "", Decision::deny}});
  hub_->read_ahead();
  EXPECT_EQ(reading(), 0) << "what the rules deny is not offered";
}

TEST_F(ChatReadAheadTest, ADeletedChatIsNotRead) {
  const std::string chat = create();
  const auto tab = open(chat);
  ASSERT_EQ(reading(), 1);
  value_of(io_.run(hub_->set_deleted(make_uuid(), chat, true)));
  EXPECT_EQ(reading(), 0);
  value_of(io_.run(hub_->set_deleted(make_uuid(), chat, false)));
  EXPECT_EQ(reading(), 1);
}

TEST_F(ChatReadAheadTest, WhatComesTooLateIsDropped) {
  const std::string chat = create();
  model_.hold_starts = true;
  auto tab = open(chat);
  change(chat, Names{"clock"});
  change(chat, Names{"weather"});
  EXPECT_EQ(reading(), 0);
  EXPECT_EQ(model_.read_aheads.size(), 3u);
  model_.let_start();
  EXPECT_EQ(reading(), 1) << "only that of the newest selection";
  model_.hold_starts = true;
  change(chat, Names{"clock"});
  tab.reset();
  model_.let_start();
  EXPECT_EQ(reading(), 0) << "the chat was closed meanwhile";
}

TEST_F(ChatReadAheadTest, AFailureIsALineOfTheLogAndQuestionsAreAnswered) {
  model_.read_ahead_throws = "no memory";
  const std::string chat = create();
  const auto tab = open(chat);
  EXPECT_EQ(reading(), 0);
  ASSERT_EQ(logged_.size(), 1u);
  EXPECT_NE(logged_[0].find("no memory"), std::string::npos) << logged_[0];
  send_and_wait(chat, 10);
  EXPECT_EQ(path(chat).back().text, "It rains.");
}

TEST_F(ChatReadAheadTest, EndsWithTheServer) {
  const std::string chat = create();
  const auto tab = open(chat);
  ASSERT_EQ(reading(), 1);
  io_.run(hub_->shut_down(std::chrono::milliseconds(0)));
  EXPECT_EQ(model_.num_reading(), 0);
}

}  // namespace
}  // namespace parley::orchestration::turn
