#include "orchestration/turn/result_shortener.h"

#include <gtest/gtest.h>

#include "orchestration/turn/result_limit.h"

namespace parley::orchestration::turn {
namespace {

using prompt::ChatMessage;
using prompt::Role;

struct ResultShortenerTest : testing::Test {
  void add(Role role, const std::string& text, const std::string& call = {}) {
    ChatMessage message;
    message.role = role;
    message.text = text;
    message.call_id = call;
    messages.push_back(std::move(message));
  }
  ResultShortener shortener(ResultShortener::Reader reader = ResultShortener::Reader::absent) {
    return {messages, [](std::string_view text) { return text.size(); }, reader};
  }
  std::vector<ChatMessage> messages;
};

const std::string kLong = "first" + std::string(2'000, '.') + "last";

TEST_F(ResultShortenerTest, TheOldestResultsOfTheNewestTurnGoFirst) {
  add(Role::user, "old question");
  add(Role::tool, kLong, "old");
  add(Role::user, std::string(3'000, 'q'));
  add(Role::assistant, std::string(3'000, 'a'));
  add(Role::tool, kLong, "1");
  add(Role::tool, "short", "2");
  add(Role::tool, kLong, "3");
  add(Role::tool, kLong, "4");
  ResultShortener results = shortener();
  EXPECT_TRUE(results.save(100));
  EXPECT_LT(messages[4].text.size(), 100u);
  EXPECT_TRUE(messages[4].text.starts_with("first"));
  EXPECT_TRUE(messages[4].text.ends_with("last"));
  EXPECT_EQ(messages[6].text, kLong);
  EXPECT_TRUE(results.save(2'500)) << "both that are left";
  EXPECT_EQ(messages[5].text, "short");
  EXPECT_LT(messages[6].text.size(), 100u);
  EXPECT_LT(messages[7].text.size(), 100u);
  EXPECT_FALSE(results.save(1));
  EXPECT_EQ(messages[1].text, kLong) << "turns before are left out as a whole";
  EXPECT_EQ(messages[2].text.size() + messages[3].text.size(), 6'000u);
}

TEST_F(ResultShortenerTest, SaysHowTheWholeCanBeRead) {
  add(Role::user, "?");
  add(Role::tool, kLong, "42");
  EXPECT_TRUE(shortener(ResultShortener::Reader::offered).save(1));
  EXPECT_TRUE(messages[1].text.ends_with("last\n" + where_rest_of("42"))) << messages[1].text;
}

TEST_F(ResultShortenerTest, KeepsWhatAResultSaysOfItsRest) {
  add(Role::user, "?");
  add(Role::tool, kLong + "\n" + where_rest_of("42"), "42");
  EXPECT_TRUE(shortener().save(1));
  EXPECT_TRUE(messages[1].text.ends_with("last\n" + where_rest_of("42"))) << messages[1].text;
}

TEST_F(ResultShortenerTest, WhatWouldNotBeShorterStays) {
  add(Role::user, "?");
  add(Role::tool, std::string(kLeastResultTokens + 10, 'x'), "42");
  EXPECT_FALSE(shortener(ResultShortener::Reader::offered).save(1));
  EXPECT_EQ(messages[1].text, std::string(kLeastResultTokens + 10, 'x'));
  messages.clear();
  EXPECT_FALSE(shortener().save(1));
}

}  // namespace
}  // namespace parley::orchestration::turn
