#include "app/api/answer_calls.h"

#include <gtest/gtest.h>

#include "inference/json/json_writer.h"

namespace parley::app::api {
namespace {

namespace calls = orchestration::calls;
using inference::json::to_json_text;

calls::CallBegin begin_of(int index, const std::string& name, const std::string& id = "") {
  return {.index = index, .name = name, .id = id};
}
calls::ArgumentsDelta part_of(int index, const std::string& json) { return {.index = index, .json = json}; }
calls::CallEnd end_of_call(int index, const std::string& error = "", const std::string& id = "") {
  return {.index = index, .error = error, .id = id};
}

std::string told(AnswerCalls& answer, const calls::CallEvent& event) {
  const auto object = answer.take(event);
  return object ? to_json_text(*object) : "";
}

TEST(AnswerCallsTest, TellsACallInOpenAisShapes) {
  AnswerCalls answer({});
  EXPECT_TRUE(answer.empty());
  EXPECT_EQ(told(answer, begin_of(0, "add", "call_x")),
            R"({"index":0,"id":"call_x","type":"function","function":{"name":"add","arguments":""}})");
  EXPECT_EQ(told(answer, part_of(0, R"({"a":)")), R"({"index":0,"function":{"arguments":"{\"a\":"}})");
  EXPECT_EQ(told(answer, part_of(0, "1}")), R"({"index":0,"function":{"arguments":"1}"}})");
  EXPECT_EQ(told(answer, end_of_call(0)), "");
  EXPECT_EQ(told(answer, begin_of(1, "now", "call_y")),
            R"({"index":1,"id":"call_y","type":"function","function":{"name":"now","arguments":""}})");
  EXPECT_EQ(told(answer, end_of_call(1)), R"({"index":1,"function":{"arguments":"{}"}})") << "no parameters";
  EXPECT_FALSE(answer.empty());
  EXPECT_EQ(to_json_text(answer.whole()),
            R"([{"id":"call_x","type":"function","function":{"name":"add","arguments":"{\"a\":1}"}},)"
            R"({"id":"call_y","type":"function","function":{"name":"now","arguments":"{}"}}])");
}

// Whatever the parts, they make the whole.
TEST(AnswerCallsTest, PartsOfEverySplitMakeTheWholeArguments) {
  const std::string arguments = "{\"a\":\"\xC3\xA9 \\\"}{\\\"\",\"n\":{\"m\":[1,null]}}";
  for (std::size_t first = 0; first <= arguments.size(); ++first) {
    for (std::size_t second = first; second <= arguments.size(); ++second) {
      if ((arguments[first] & 0xC0) == 0x80 || (arguments[second] & 0xC0) == 0x80) continue;
      AnswerCalls answer({});
      answer.take(begin_of(0, "f"));
      std::string joined;
      for (const std::string& part :
           {arguments.substr(0, first), arguments.substr(first, second - first), arguments.substr(second)}) {
        const auto object = answer.take(part_of(0, part));
        if (object) joined += std::string(object->at("function").at("arguments").as_string());
      }
      ASSERT_FALSE(answer.take(end_of_call(0)));
      ASSERT_EQ(joined, arguments);
      ASSERT_EQ(std::string(answer.whole().at(0).at("function").at("arguments").as_string()), arguments);
    }
  }
}

TEST(AnswerCallsTest, CallsThatGrowSideBySideStayApart) {
  AnswerCalls answer({});
  answer.take(begin_of(0, "a"));
  answer.take(begin_of(1, "b"));
  answer.take(part_of(1, "[2"));
  answer.take(part_of(0, "{1"));
  answer.take(part_of(1, "]"));
  answer.take(part_of(0, "}"));
  EXPECT_EQ(answer.whole().at(0).at("function").at("arguments"), "{1}");
  EXPECT_EQ(answer.whole().at(1).at("function").at("arguments"), "[2]");
}

TEST(AnswerCallsTest, MakesIdsThatNoCallOfTheConversationHas) {
  orchestration::prompt::ChatMessage message;
  message.calls = {{"call_1", "a", "{}"}, {"call_3", "a", "{}"}};
  const KnownCalls known = known_calls({message, {}, {}});
  EXPECT_EQ(known.count, 2u);
  AnswerCalls answer(known);
  for (int i = 0; i < 3; ++i) answer.take(begin_of(i, "a"));
  EXPECT_EQ(answer.whole().at(0).at("id"), "call_2");
  EXPECT_EQ(answer.whole().at(1).at("id"), "call_4");
  EXPECT_EQ(answer.whole().at(2).at("id"), "call_5");
}

TEST(AnswerCallsTest, NoTwoCallsOfAnAnswerShareAnId) {
  AnswerCalls answer({});
  answer.take(begin_of(0, "a", "x"));
  answer.take(begin_of(1, "b", "x"));
  answer.take(begin_of(2, "c", "call_1"));
  answer.take(begin_of(3, "d"));
  std::set<std::string> ids;
  for (const auto& call : answer.whole()) ids.emplace(call.at("id").as_string());
  EXPECT_EQ(ids.size(), 4u);
  EXPECT_TRUE(ids.contains("x"));
}

TEST(AnswerCallsTest, TakesAnIdThatComesLate) {
  AnswerCalls answer({});
  answer.take(begin_of(0, "a"));
  answer.take(end_of_call(0, "", "abcdefghi"));
  EXPECT_EQ(answer.whole().at(0).at("id"), "abcdefghi");
  answer.take(begin_of(1, "b", "own"));
  answer.take(end_of_call(1, "", "other"));
  EXPECT_EQ(answer.whole().at(1).at("id"), "own") << "told already";
}

TEST(AnswerCallsTest, ABrokenCallIsToldAsItIsAndANamelessOneNot) {
  AnswerCalls answer({});
  EXPECT_EQ(told(answer, begin_of(0, "")), "");
  EXPECT_EQ(told(answer, part_of(0, "{")), "");
  EXPECT_EQ(told(answer, end_of_call(0, "it broke")), "");
  EXPECT_TRUE(answer.empty());
  EXPECT_EQ(client_finish_reason("tool_calls", answer), "stop");
  EXPECT_EQ(client_finish_reason("length", answer), "length");
  EXPECT_NE(told(answer, begin_of(1, "add")).find("\"index\":0"), std::string::npos);
  answer.take(part_of(1, "{\"a\":"));
  EXPECT_EQ(told(answer, end_of_call(1, "it broke")), "");
  EXPECT_EQ(answer.whole().at(0).at("function").at("arguments"), "{\"a\":");
  answer.take(begin_of(2, "cut"));
  EXPECT_EQ(told(answer, end_of_call(2, "it broke")), "") << "no {} for what was not complete";
  EXPECT_EQ(client_finish_reason("tool_calls", answer), "tool_calls");
}

TEST(AnswerCallsTest, OtherEventsTellNothing) {
  AnswerCalls answer({});
  EXPECT_EQ(told(answer, calls::CallPending{}), "");
  EXPECT_EQ(told(answer, calls::UnknownLenientCall{"x"}), "");
  EXPECT_EQ(told(answer, part_of(7, "{}")), "") << "of a call that never began";
  EXPECT_EQ(told(answer, end_of_call(7)), "");
  EXPECT_TRUE(answer.empty());
}

}  // namespace
}  // namespace parley::app::api
