#include "app/cli/messages_document.h"

#include <gtest/gtest.h>

#include "tests/fakes/message_of.h"

namespace parley::app::cli {
namespace {

using orchestration::prompt::Role;

std::string problem_with(const std::string& json) {
  return tests::fakes::message_of([&] { parse_messages(json, "chat.json"); });
}

TEST(ParseMessages, ReadsAnObjectOrABareList) {
  const std::string list = R"([{"role":"system","content":"s"},{"role":"user","content":"ü"}])";
  for (const std::string& json : {list, "{\"messages\":" + list + "}"}) {
    const auto messages = parse_messages(json, "x").messages;
    ASSERT_EQ(messages.size(), 2u);
    EXPECT_EQ(messages[0].role, Role::system);
    EXPECT_EQ(messages[1].text, "ü");
  }
}

TEST(ParseMessages, ReadsCallsResultsAndReasoning) {
  const auto messages = parse_messages(R"([
    {"role":"assistant","content":null,"reasoning_content":"hm","tool_calls":[
      {"id":"c1","type":"function","function":{"name":"f","arguments":"{\"a\": 1}"}},
      {"function":{"name":"g","arguments":{"b":[2]}}}, {"function":{"name":"h"}}]},
    {"role":"tool","tool_call_id":"c1","name":"f","content":"done"}])",
                                       "x")
                            .messages;
  ASSERT_EQ(messages.size(), 2u);
  EXPECT_EQ(messages[0].reasoning, "hm");
  ASSERT_EQ(messages[0].calls.size(), 3u);
  EXPECT_EQ(messages[0].calls[0].id, "c1");
  EXPECT_EQ(messages[0].calls[0].arguments, R"({"a": 1})");
  EXPECT_EQ(messages[0].calls[1].name, "g");
  EXPECT_EQ(messages[0].calls[1].arguments, R"({"b":[2]})");
  EXPECT_EQ(messages[0].calls[2].arguments, "");
  EXPECT_EQ(messages[1].role, Role::tool);
  EXPECT_EQ(messages[1].call_id, "c1");
  EXPECT_EQ(messages[1].tool_name, "f");
}

TEST(ParseMessages, MistakesInCallsNameTheirPlace) {
  const auto problem = [](const std::string& calls) {
    return problem_with(R"([{"role":"assistant","tool_calls":)" + calls + "}]");
  };
  EXPECT_EQ(problem("7"), "chat.json: message 1: \"tool_calls\" must be a list");
  EXPECT_NE(problem("[{}]").find("message 1, tool call 1: give it as"), std::string::npos);
  EXPECT_NE(problem(R"([{"function":{}}])").find("name the tool"), std::string::npos);
  EXPECT_NE(problem(R"([{"id":7,"function":{"name":"f"}}])").find("\"id\" is not a string"),
            std::string::npos);
  EXPECT_NE(problem_with(R"([{"role":"assistant","content":null}])").find("\"content\""), std::string::npos);
}

TEST(ParseMessages, KeepsToolsAsTheyAre) {
  EXPECT_EQ(parse_messages(R"({"messages":[],"tools":[{"name": "f"}]})", "x").tools_json,
            R"([{"name":"f"}])");
  EXPECT_EQ(parse_messages(R"({"messages":[],"tools":null})", "x").tools_json, "");
}

TEST(ParseMessages, RefusesAFieldThatIsGivenTwice) {
  EXPECT_EQ(problem_with(R"([{"role":"user","role":"system","content":"a"}])"),
            "chat.json cannot be read: An object holds the same key twice. It is in \"role\".");
}

TEST(ParseMessages, MistakesNameTheirPlace) {
  EXPECT_NE(problem_with("{").find("chat.json cannot be read: The text is not valid JSON"),
            std::string::npos);
  EXPECT_NE(problem_with("{}").find("expected {\"messages\""), std::string::npos);
  EXPECT_NE(problem_with("7").find("expected {\"messages\""), std::string::npos);
  EXPECT_NE(problem_with(R"([{"role":"user","content":"a"},{"role":"user"}])").find("message 2: \"content\""),
            std::string::npos);
  EXPECT_NE(problem_with(R"([{"role":"king","content":"a"}])").find("\"king\""), std::string::npos);
  EXPECT_NE(problem_with(R"([7])").find("message 1"), std::string::npos);
  EXPECT_EQ(
      problem_with(R"([{"content":"a"}])"),
      "chat.json: message 1: \"role\" is missing or not a string; say whose message it is: system, user, "
      "assistant or tool");
  EXPECT_NE(problem_with(R"([{"role":"user","content":["a"]}])").find("give the message's text"),
            std::string::npos);
  EXPECT_NE(problem_with(R"({"messages":[],"tools":{}})").find("\"tools\" must be a list"),
            std::string::npos);
}

}  // namespace
}  // namespace parley::app::cli
