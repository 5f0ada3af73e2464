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
      "chat.json: message 1: \"role\" is missing or not a string; say whose message it is: system, user or "
      "assistant");
  EXPECT_NE(problem_with(R"([{"role":"user","content":["a"]}])").find("give the message's text"),
            std::string::npos);
  EXPECT_NE(problem_with(R"({"messages":[],"tools":{}})").find("\"tools\" must be a list"),
            std::string::npos);
}

}  // namespace
}  // namespace parley::app::cli
