#include "app/api/message_calls.h"

#include "tests/app/api/json_fields.h"

namespace parley::app::api {
namespace {

using orchestration::prompt::MessageCall;

std::vector<MessageCall> read_calls(protocol::FieldReader& fields, const inference::json::JsonObject&) {
  return read_message_calls(fields);
}

std::string with_call(const std::string& call) { return R"({"tool_calls":[)" + call + "]}"; }

TEST(MessageCallsTest, ReadsThemAsTheyAre) {
  const auto calls = read_well(
      with_call(R"({"id":"c1","type":"function","function":{"name":"add","arguments":"{\"a\": 1}"}},)"
                R"({"id":"c2","function":{"name":"not a name!","arguments":"{broken"}},)"
                R"({"id":"c3","type":"function","function":{"name":"","arguments":""}})"),
      read_calls);
  ASSERT_EQ(calls.size(), 3u);
  EXPECT_EQ(calls[0].id, "c1");
  EXPECT_EQ(calls[0].name, "add");
  EXPECT_EQ(calls[0].arguments, R"({"a": 1})");
  EXPECT_EQ(calls[1].name, "not a name!");
  EXPECT_EQ(calls[1].arguments, "{broken");
  EXPECT_EQ(calls[2].arguments, "");
}

TEST(MessageCallsTest, NamesWhatIsWrong) {
  const std::pair<const char*, const char*> cases[] = {
      {"1", "tool_calls[0]"},
      {R"({"type":"function","function":{"name":"a","arguments":"{}"}})", "tool_calls[0].id"},
      {R"({"id":"","function":{"name":"a","arguments":"{}"}})", "tool_calls[0].id"},
      {R"({"id":"c","type":"custom","custom":{}})", "tool_calls[0].type"},
      {R"({"id":"c","type":"function"})", "tool_calls[0].function"},
      {R"({"id":"c","function":{"arguments":"{}"}})", "tool_calls[0].function.name"},
      {R"({"id":"c","function":{"name":"a"}})", "tool_calls[0].function.arguments"},
      {R"({"id":"c","function":{"name":"a","arguments":{}}})", "tool_calls[0].function.arguments"}};
  for (const auto& [call, field] : cases) EXPECT_EQ(blame(with_call(call), read_calls), field) << call;
  EXPECT_EQ(blame(R"({"tool_calls":{}})", read_calls), "tool_calls");
  std::string many;
  for (int i = 0; i < 1025; ++i)
    many += std::string(i == 0 ? "" : ",") + R"({"id":"c","function":{"name":"a","arguments":"{}"}})";
  EXPECT_EQ(blame(with_call(many), read_calls), "tool_calls");
}

TEST(MessageCallsTest, NamesWhatIsWrongWithCallsOfTheServer) {
  const auto read = [](protocol::FieldReader& fields, const inference::json::JsonObject&) {
    return read_ran_calls(fields);
  };
  const std::pair<const char*, const char*> cases[] = {
      {"1", "parley"},
      {R"({"calls":1})", "parley.calls"},
      {R"({"calls":[1]})", "parley.calls[0]"},
      {R"({"calls":[{"name":"a","arguments":"","result":""}]})", "parley.calls[0].call"},
      {R"({"calls":[{"call":"i","arguments":"","result":""}]})", "parley.calls[0].name"},
      {R"({"calls":[{"call":"i","name":"a","result":""}]})", "parley.calls[0].arguments"},
      {R"({"calls":[{"call":"i","name":"a","arguments":""}]})", "parley.calls[0].result"}};
  for (const auto& [value, field] : cases)
    EXPECT_EQ(blame(R"({"parley":)" + std::string(value) + "}", read), field) << value;
}

TEST(MessageCallsTest, EachResultAnswersOneCall) {
  OpenCalls calls;
  EXPECT_FALSE(calls.answer("x"));
  calls.begin({{"x", "first", "{}"}, {"y", "second", "{}"}, {"x", "third", "{}"}});
  EXPECT_EQ(calls.answer("y"), "second");
  EXPECT_FALSE(calls.answer("y"));
  EXPECT_EQ(calls.answer("x"), "first");
  EXPECT_EQ(calls.answer("x"), "third") << "an id used twice";
  calls.begin({{"z", "", "{}"}});
  EXPECT_FALSE(calls.answer("x"));
  calls.begin({});
  EXPECT_FALSE(calls.answer("z"));
}

}  // namespace
}  // namespace parley::app::api
