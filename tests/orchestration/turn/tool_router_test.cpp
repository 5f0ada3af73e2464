#include "orchestration/turn/tool_router.h"

#include <gtest/gtest.h>

#include "tests/orchestration/turn/toy_tool.h"

namespace parley::orchestration::turn {
namespace {

using prompt::ChatMessage;
using prompt::Role;

class ToolRouter : public testing::Test {
 protected:
  ToolRouter() {
    request_.tools.tools = toy_tools();
    model_.tool_profile = ToolProfile::weak;
  }
  ChatMessage& add(Role role, std::string text) {
    request_.messages.emplace_back();
    request_.messages.back().role = role;
    request_.messages.back().text = std::move(text);
    return request_.messages.back();
  }
  void add_call(const std::string& id, const std::string& name, const std::string& arguments,
                const std::string& result) {
    add(Role::assistant, "").calls = {{id, name, arguments}};
    ChatMessage& message = add(Role::tool, result);
    message.call_id = id;
    message.tool_name = name;
  }
  std::string last_text() { return router_messages(request_).back().text; }

  ModelInfo model_;
  ChatRequest request_;
};

TEST_F(ToolRouter, IsNeededWhereAWeakModelMayChoose) {
  EXPECT_FALSE(needs_router(model_, request_)) << "nothing was said";
  add(Role::user, "Hello");
  EXPECT_TRUE(needs_router(model_, request_));
  for (const ToolProfile other : {ToolProfile::native, ToolProfile::none}) {
    model_.tool_profile = other;
    EXPECT_FALSE(needs_router(model_, request_));
  }
  request_.tools.mode = ToolMode::routed;
  EXPECT_TRUE(needs_router(model_, request_)) << "it was asked for";
  request_.tools.mode = ToolMode::usual;
  model_.tool_profile = ToolProfile::weak;
  for (const ToolMode other : {ToolMode::raw, ToolMode::lenient, ToolMode::constrained}) {
    request_.tools.mode = other;
    EXPECT_FALSE(needs_router(model_, request_));
  }
  request_.tools.mode = ToolMode::usual;
  for (const ToolChoice other : {ToolChoice::none, ToolChoice::required, ToolChoice::named}) {
    request_.tools.choice = other;
    EXPECT_FALSE(needs_router(model_, request_));
  }
  request_.tools.choice = ToolChoice::automatic;
  add_call("1", "calculator", "{}", "2");
  EXPECT_TRUE(needs_router(model_, request_));
  add(Role::assistant, "It is");
  request_.continue_last = true;
  EXPECT_FALSE(needs_router(model_, request_));
  request_.tools.tools.clear();
  EXPECT_FALSE(needs_router(model_, request_));
}

TEST_F(ToolRouter, AsksWithNamesFirstSentencesAndTwoExamples) {
  add(Role::system, "You are a pirate.");
  add(Role::user, "Is it cold in Oslo?");
  const auto messages = router_messages(request_);
  ASSERT_EQ(messages.size(), 6u);
  EXPECT_EQ(messages[0].role, Role::system);
  EXPECT_NE(messages[0].text.find("get_weather: The weather of a city."), std::string::npos);
  EXPECT_EQ(messages[0].text.find("Not for the past"), std::string::npos);
  EXPECT_EQ(messages[0].text.find("pirate"), std::string::npos);
  EXPECT_EQ(messages[2].text, "none");
  EXPECT_EQ(messages[4].text, "get_weather");
  EXPECT_NE(messages[5].text.find("Is it cold in Oslo?"), std::string::npos);
  EXPECT_EQ(router_choices(request_.tools), (std::vector<std::string>{"none", "get_weather", "calculator"}));
}

TEST_F(ToolRouter, SaysWhatWasAskedBeforeAndWhatIsKnown) {
  add(Role::user, "Is it cold in Oslo?");
  add_call("7", "get_weather", R"({"city":"Oslo"})", "-3");
  add(Role::assistant, "Yes.");
  add(Role::user, "And in Rome?");
  EXPECT_NE(last_text().find("Is it cold in Oslo?"), std::string::npos);
  EXPECT_EQ(last_text().find("-3"), std::string::npos) << "of the question before";
  add_call("8", "get_weather", R"({"city":"Rome"})", "25");
  EXPECT_NE(last_text().find(R"(get_weather({"city":"Rome"}) returned: 25)"), std::string::npos)
      << last_text();
}

TEST_F(ToolRouter, ResultsAreTurnsBehindAnExampleInWhichNothingIsLeft) {
  add(Role::user, "Is it cold in Oslo, and what is 1 + 1?");
  add_call("1", "get_weather", R"({"city":"Oslo"})", "-3");
  const auto messages = router_messages(request_);
  ASSERT_EQ(messages.size(), 10u);
  EXPECT_EQ(messages[6].text, "none");
  EXPECT_NE(messages[7].text.find("what is 1 + 1?"), std::string::npos);
  EXPECT_EQ(messages[8].role, Role::assistant);
  EXPECT_EQ(messages[8].text, "get_weather");
  EXPECT_NE(messages[9].text.find("returned: -3"), std::string::npos);
}

TEST_F(ToolRouter, OnlyTheLastResultsAreTold) {
  add(Role::user, "Count.");
  for (int i = 0; i < 200; ++i) add_call(std::to_string(i), "calculator", "{}", std::to_string(i));
  EXPECT_LT(router_messages(request_).size(), 30u);
  EXPECT_NE(last_text().find("returned: 199"), std::string::npos);
}

TEST_F(ToolRouter, StaysShortWhateverIsSaid) {
  add(Role::user, std::string(100000, 'x'));
  request_.messages.back().text += "\xC3\xA4";
  add_call("1", "calculator", "{\"a\":\"" + std::string(100000, 'y') + "\"}", std::string(100000, 'z'));
  EXPECT_LT(last_text().size(), 4000u);
}

TEST_F(ToolRouter, ARequestForACallHasOneToolAndARequestForProseNone) {
  add(Role::user, "Is it cold in Oslo?");
  const ChatRequest call = request_for_call(request_, "calculator");
  ASSERT_EQ(call.tools.tools.size(), 1u);
  EXPECT_EQ(call.tools.tools[0]->spec().name, "calculator");
  EXPECT_EQ(call.tools.choice, ToolChoice::named);
  EXPECT_FALSE(call.tools.parallel);
  EXPECT_TRUE(request_for_prose(request_).tools.tools.empty());
  add_call("1", "get_weather", "{}", "-3");
  const ChatRequest prose = request_for_prose(request_);
  ASSERT_EQ(prose.tools.tools.size(), 1u) << "so that the prompt goes on";
  EXPECT_EQ(prose.tools.tools[0]->spec().name, "get_weather");
  EXPECT_EQ(prose.tools.choice, ToolChoice::none);
}

TEST_F(ToolRouter, ARequestForProseTellsSeveralResultsWithTheQuestion) {
  add(Role::system, "You are a pirate.");
  add(Role::user, "Is it cold in Oslo, and what is 1 + 1?");
  add_call("1", "get_weather", R"({"city":"Oslo"})", "-3");
  add_call("2", "calculator", R"({"expression":"1+1"})", "2");
  const ChatRequest prose = request_for_prose(request_);
  ASSERT_EQ(prose.messages.size(), 2u);
  EXPECT_EQ(prose.messages[1].role, Role::user);
  EXPECT_EQ(prose.messages[1].text.find("Is it cold in Oslo, and what is 1 + 1?"), 0u);
  EXPECT_NE(prose.messages[1].text.find(R"(get_weather({"city":"Oslo"}) returned: -3)"), std::string::npos);
  EXPECT_NE(prose.messages[1].text.find(R"(calculator({"expression":"1+1"}) returned: 2)"),
            std::string::npos);
  EXPECT_TRUE(prose.tools.tools.empty());
  EXPECT_EQ(prose.tools.choice, ToolChoice::none);
}

TEST_F(ToolRouter, KnowsTheCallsSinceTheLastQuestion) {
  add(Role::user, "a");
  add_call("1", "calculator", R"({"expression":"1"})", "1");
  add(Role::user, "b");
  add_call("2", "get_weather", R"({"city":"Oslo","days":2})", "-3");
  add_call("3", "get_weather", "broken", "error");
  const auto answered = answered_calls(request_.messages);
  EXPECT_EQ(answered.size(), 1u);
  EXPECT_TRUE(is_answered(answered, "get_weather", R"({ "days": 2, "city": "Oslo" })"));
  EXPECT_FALSE(is_answered(answered, "get_weather", R"({"city":"Rome","days":2})"));
  EXPECT_FALSE(is_answered(answered, "calculator", R"({"expression":"1"})")) << "another question";
  EXPECT_FALSE(is_answered(answered, "get_weather", "broken"));
}

}  // namespace
}  // namespace parley::orchestration::turn
