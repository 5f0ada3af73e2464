#include "app/api/chat_messages.h"

#include "tests/app/api/json_fields.h"

namespace parley::app::api {
namespace {

using orchestration::prompt::ChatMessage;
using orchestration::prompt::Role;

std::vector<ChatMessage> read_all_messages(protocol::FieldReader& fields,
                                           const inference::json::JsonObject&) {
  return read_chat_messages(fields);
}

std::string with_messages(const std::string& messages) { return R"({"messages":[)" + messages + "]}"; }

const std::string kAsk = R"({"role":"user","content":"weather?"})";
const std::string kCall =
    R"({"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function",)"
    R"("function":{"name":"weather","arguments":"{\"city\":\"Paris\"}"}},{"id":"c2","type":"function",)"
    R"("function":{"name":"time","arguments":"{}"}}]})";

std::string result_of(const std::string& id) {
  return R"({"role":"tool","tool_call_id":")" + id + R"(","content":"21 C"})";
}

TEST(ChatMessagesTest, ReadsCallsAndResults) {
  const auto messages = read_well(
      with_messages(kAsk + "," + kCall + "," + result_of("c2") + "," + result_of("c1")), read_all_messages);
  ASSERT_EQ(messages.size(), 4u);
  EXPECT_EQ(messages[1].role, Role::assistant);
  EXPECT_EQ(messages[1].text, "");
  ASSERT_EQ(messages[1].calls.size(), 2u);
  EXPECT_EQ(messages[1].calls[0].arguments, R"({"city":"Paris"})");
  EXPECT_EQ(messages[2].role, Role::tool);
  EXPECT_EQ(messages[2].call_id, "c2");
  EXPECT_EQ(messages[2].tool_name, "time");
  EXPECT_EQ(messages[3].tool_name, "weather");
  EXPECT_EQ(messages[3].text, "21 C");
}

TEST(ChatMessagesTest, WhatTheServerRanComesBeforeItsAnswer) {
  const std::string answer =
      R"({"role":"assistant","content":"21 C","parley":{"calls":[{"call":"i","name":"weather","state":"done",)"
      R"("arguments":"{\"city\":\"Paris\"}","result":"It has 21 C."},{"call":"j","name":"time","arguments":"{}",)"
      R"("result":""}]}})";
  const auto messages = read_well(with_messages(kAsk + "," + answer), read_all_messages);
  ASSERT_EQ(messages.size(), 5u);
  EXPECT_EQ(messages[1].role, Role::assistant);
  EXPECT_EQ(messages[1].text, "");
  ASSERT_EQ(messages[1].calls.size(), 2u);
  EXPECT_EQ(messages[1].calls[0].arguments, R"({"city":"Paris"})");
  EXPECT_EQ(messages[2].call_id, messages[1].calls[0].id);
  EXPECT_EQ(messages[2].tool_name, "weather");
  EXPECT_EQ(messages[2].text, "It has 21 C.");
  EXPECT_EQ(messages[3].call_id, "j");
  EXPECT_EQ(messages[4].text, "21 C");
  EXPECT_TRUE(messages[4].calls.empty());
  for (const char* none : {"null", "{}", R"({"calls":[]})"}) {
    const std::string empty = R"({"role":"assistant","content":"a","parley":)" + std::string(none) + "}";
    EXPECT_EQ(read_well(with_messages(empty), read_all_messages).size(), 1u) << none;
  }
}

TEST(ChatMessagesTest, AnAssistantsMessageMayBeWithoutContent) {
  const auto one = [](const std::string& fields) {
    return read_well(with_messages(R"({"role":"assistant",)" + fields + "}"), read_all_messages).at(0);
  };
  const std::string calls =
      R"("tool_calls":[{"id":"c","type":"function","function":{"name":"a","arguments":"{}"}}])";
  EXPECT_EQ(one(calls).calls.size(), 1u);
  EXPECT_EQ(one(R"("content":null,)" + calls).text, "");
  EXPECT_EQ(one(R"("content":"I look.",)" + calls).text, "I look.");
  EXPECT_EQ(one(R"("content":"a","tool_calls":null)").calls.size(), 0u);
  EXPECT_EQ(one(R"("content":"a","reasoning_content":"because")").reasoning, "because");
  EXPECT_EQ(one(R"("content":"a","reasoning_content":null)").reasoning, "");
  EXPECT_EQ(one(R"("content":null,"reasoning_content":"because")").text, "");
  EXPECT_EQ(one(R"("content":null,"refusal":"No.")").text, "No.");
  EXPECT_EQ(one(R"("content":[{"type":"text","text":"a"},{"type":"refusal","refusal":"b"}])").text, "ab");
}

TEST(ChatMessagesTest, AResultNeedsItsCall) {
  const auto blamed = [](const std::string& messages) {
    return blame(with_messages(messages), read_all_messages);
  };
  EXPECT_EQ(blamed(kAsk + "," + result_of("c1")), "messages[1].tool_call_id");
  EXPECT_EQ(blamed(kCall + "," + result_of("c9")), "messages[1].tool_call_id");
  EXPECT_EQ(blamed(kCall + "," + result_of("c1") + "," + result_of("c1")), "messages[2].tool_call_id");
  EXPECT_EQ(blamed(kCall + "," + kAsk + "," + result_of("c1")), "messages[2].tool_call_id");
  EXPECT_EQ(blamed(kCall + R"(,{"role":"tool","content":"x"})"), "messages[1].tool_call_id");
  EXPECT_EQ(blamed(kCall + R"(,{"role":"tool","tool_call_id":"c1"})"), "messages[1].content");
  EXPECT_EQ(blamed(kCall + "," + kAsk), "") << "a call that was never answered does not end a conversation";
}

TEST(ChatMessagesTest, PointsFromTheOlderFormToTheNewer) {
  EXPECT_EQ(blame(with_messages(R"({"role":"function","name":"a","content":"x"})"), read_all_messages),
            "messages[0].role");
  EXPECT_EQ(blame(with_messages(R"({"role":"assistant","content":null,"function_call":{"name":"a"}})"),
                  read_all_messages),
            "messages[0].function_call");
  read_well(with_messages(R"({"role":"assistant","content":"a","function_call":null})"), read_all_messages);
}

TEST(ChatMessagesTest, NamesTheMessageThatIsWrong) {
  const std::pair<std::string, const char*> cases[] = {
      {R"({"role":"robot","content":"x"})", "messages[1].role"},
      {R"({"role":"assistant","content":null})", "messages[1].content"},
      {R"({"role":"assistant","content":"","tool_calls":[{}]})", "messages[1].tool_calls[0].id"},
      {R"({"role":"assistant","content":"","reasoning_content":5})", "messages[1].reasoning_content"},
      {R"({"role":"user","content":[{"type":"refusal","refusal":"b"}]})", "messages[1].content[0].type"},
      {R"({"role":"tool","tool_call_id":"c","content":[{"type":"image_url"}]})",
       "messages[1].content[0].type"}};
  for (const auto& [message, field] : cases)
    EXPECT_EQ(blame(with_messages(kAsk + "," + message), read_all_messages), field) << message;
}

}  // namespace
}  // namespace parley::app::api
