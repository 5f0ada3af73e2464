#include <gtest/gtest.h>

#include "app/api/answer_format.h"
#include "inference/json/json_writer.h"
#include "tests/app/api/scored_token.h"

namespace parley::app::api {
namespace {

using inference::json::JsonObject;
using orchestration::turn::ChatDelta;

namespace calls = orchestration::calls;

std::string choices_of(const JsonObject& object) {
  return inference::json::to_json_text(object.at("choices"));
}

// The deltas of chunks, a line each.
std::string deltas_of(const JsonObjects& chunks) {
  std::string text;
  for (const auto& chunk : chunks)
    text += inference::json::to_json_text(chunk.at("choices").at(0).at("delta")) + "\n";
  return text;
}

ChatDelta chat_text(const std::string& text) {
  ChatDelta delta;
  delta.text = text;
  return delta;
}

// All of one call.
ChatDelta chat_call(const std::string& text = "") {
  ChatDelta delta = chat_text(text);
  delta.calls = {calls::CallBegin{0, "add", "x"}, calls::ArgumentsDelta{0, R"({"a":1})"}, calls::CallEnd{}};
  return delta;
}

AnswerEnd chat_ending(const std::string& reason, const std::string& rest = "") {
  AnswerEnd end;
  end.finish_reason = reason;
  end.text = rest;
  return end;
}

constexpr const char* kCallBegins =
    R"({"tool_calls":[{"index":0,"id":"x","type":"function","function":{"name":"add","arguments":""}}]})";
constexpr const char* kCallGrows = R"({"tool_calls":[{"index":0,"function":{"arguments":"{\"a\":1}"}}]})";

TEST(ChatFormatTest, PiecesOfAnAnswerShareTheirHead) {
  const auto format = make_chat_format({.model = "m"});
  const auto first = format->opening().at(0);
  const auto last = format->closing(chat_ending("stop")).at(0);
  EXPECT_EQ(first.at("id"), last.at("id"));
  EXPECT_EQ(first.at("created"), last.at("created"));
  EXPECT_EQ(first.at("model"), "m");
  EXPECT_FALSE(first.contains("usage"));
  EXPECT_NE(make_chat_format({})->opening().at(0).at("id"), first.at("id"));
}

TEST(ChatFormatTest, WritesAWholeAnswer) {
  ChatDelta answer = chat_text("H");
  answer.scores.push_back(scored_token("Hi", -0.5f));
  auto object =
      make_chat_format({.model = "m", .scored = true})->whole(answer, chat_ending("length", "i"), {});
  EXPECT_EQ(object.at("object"), "chat.completion");
  EXPECT_EQ(
      choices_of(object),
      R"([{"index":0,"message":{"role":"assistant","content":"Hi","refusal":null},"logprobs":{"content":[)"
      R"({"token":"Hi","logprob":-0.5,"bytes":[72,105],"top_logprobs":[{"token":"Hi","logprob":-0.5,"bytes":[72,105]}]}]},)"
      R"("finish_reason":"length"}])");
  EXPECT_TRUE(object.contains("usage"));
}

TEST(ChatFormatTest, WritesThePiecesOfAStream) {
  const auto format = make_chat_format({.model = "m", .include_usage = true});
  EXPECT_EQ(
      choices_of(format->opening().at(0)),
      R"([{"index":0,"delta":{"role":"assistant","content":""},"logprobs":null,"finish_reason":null}])");
  const auto pieces = format->pieces(chat_text("Hi"));
  ASSERT_EQ(pieces.size(), 1u);
  EXPECT_EQ(pieces[0].at("object"), "chat.completion.chunk");
  EXPECT_TRUE(pieces[0].at("usage").is_null());
  EXPECT_EQ(choices_of(pieces[0]),
            R"([{"index":0,"delta":{"content":"Hi"},"logprobs":null,"finish_reason":null}])");
  const auto last = format->closing(chat_ending("stop", "!"));
  EXPECT_EQ(deltas_of(last), "{\"content\":\"!\"}\n{}\n");
  EXPECT_EQ(choices_of(last.at(1)), R"([{"index":0,"delta":{},"logprobs":null,"finish_reason":"stop"}])");
  const auto usage = format->usage({.prompt_tokens = 2, .cached_tokens = 0, .completion_tokens = 3});
  EXPECT_EQ(choices_of(usage), "[]");
  EXPECT_EQ(usage.at("usage").at("total_tokens"), 5);
}

TEST(ChatFormatTest, WritesAWholeCall) {
  const auto object =
      make_chat_format({.model = "m", .may_call = true})->whole(chat_call(), chat_ending("tool_calls"), {});
  EXPECT_EQ(choices_of(object),
            R"([{"index":0,"message":{"role":"assistant","content":null,"refusal":null,"tool_calls":[)"
            R"({"id":"x","type":"function","function":{"name":"add","arguments":"{\"a\":1}"}}]},)"
            R"("logprobs":null,"finish_reason":"tool_calls"}])");
}

TEST(ChatFormatTest, KeepsProseAndReasoningBesideCalls) {
  ChatDelta answer = chat_call("I add.");
  answer.reasoning = "Sums need a tool.";
  const auto object =
      make_chat_format({.model = "m", .may_call = true})->whole(answer, chat_ending("tool_calls"), {});
  const auto& message = object.at("choices").at(0).at("message");
  EXPECT_EQ(message.at("content"), "I add.");
  EXPECT_EQ(message.at("reasoning_content"), "Sums need a tool.");
  EXPECT_EQ(message.at("tool_calls").as_array().size(), 1u);
}

TEST(ChatFormatTest, StreamsACallWithoutContent) {
  const auto format = make_chat_format({.model = "m", .may_call = true});
  EXPECT_TRUE(format->opening().empty()) << "not known yet";
  EXPECT_EQ(
      deltas_of(format->pieces(chat_call())),
      std::string("{\"role\":\"assistant\",\"content\":null}\n") + kCallBegins + "\n" + kCallGrows + "\n");
  const auto last = format->closing(chat_ending("tool_calls"));
  ASSERT_EQ(last.size(), 1u);
  EXPECT_EQ(choices_of(last[0]), R"([{"index":0,"delta":{},"logprobs":null,"finish_reason":"tool_calls"}])");
}

TEST(ChatFormatTest, StreamsReasoningProseAndCallsInThisOrder) {
  const auto format = make_chat_format({.model = "m", .may_call = true});
  ChatDelta delta = chat_call("I add.");
  delta.reasoning = "Hm.";
  EXPECT_EQ(deltas_of(format->pieces(delta)),
            std::string("{\"role\":\"assistant\",\"content\":null}\n{\"reasoning_content\":\"Hm.\"}\n"
                        "{\"content\":\"I add.\"}\n") +
                kCallBegins + "\n" + kCallGrows + "\n");
}

TEST(ChatFormatTest, OpensAnswersInWordsAsEver) {
  const auto format = make_chat_format({.model = "m", .may_call = true});
  EXPECT_EQ(deltas_of(format->pieces(chat_text("Hi"))),
            "{\"role\":\"assistant\",\"content\":\"\"}\n{\"content\":\"Hi\"}\n");
  const auto silent = make_chat_format({.model = "m", .may_call = true});
  ChatDelta pending;
  pending.calls.push_back(calls::CallPending{});
  EXPECT_TRUE(silent->pieces(pending).empty());
  EXPECT_EQ(deltas_of(silent->closing(chat_ending("stop"))),
            "{\"role\":\"assistant\",\"content\":\"\"}\n{}\n");
}

TEST(ChatFormatTest, TellsWhatWasDoneAboutToolsToWhoAsked) {
  AnswerEnd end = chat_ending("stop");
  end.tool_report.constraint_woke = 2;
  end.tool_report.mode = orchestration::turn::ToolMode::raw;
  const auto format = make_chat_format({.model = "m", .tells_tools = true});
  EXPECT_EQ(inference::json::to_json_text(format->whole(chat_text("Hi"), end, {}).at("parley")),
            R"({"tool_mode":"raw","constraint_woke":2})");
  end.tool_report.router = "none";
  EXPECT_EQ(inference::json::to_json_text(format->closing(end).back().at("parley")),
            R"({"tool_mode":"raw","constraint_woke":2,"router":"none"})");
  const auto others = make_chat_format({.model = "m"});
  EXPECT_FALSE(others->whole(chat_text("Hi"), end, {}).contains("parley"));
  EXPECT_FALSE(others->closing(end).back().contains("parley"));
}

TEST(ChatFormatTest, TellsEverybodyWhatIsNotEnforced) {
  AnswerEnd end = chat_ending("stop");
  end.tool_report.unenforced = {"t#/properties/a: uniqueItems is only checked afterwards"};
  const auto format = make_chat_format({.model = "m"});
  constexpr const char* kTold =
      R"({"unenforced":["t#/properties/a: uniqueItems is only checked afterwards"]})";
  EXPECT_EQ(inference::json::to_json_text(format->whole(chat_text("Hi"), end, {}).at("parley")), kTold);
  EXPECT_EQ(inference::json::to_json_text(format->closing(end).back().at("parley")), kTold);
}

TEST(ChatFormatTest, TellsWhatTheServerRanAtTheEnd) {
  AnswerEnd end = chat_ending("stop");
  orchestration::sessions::ToolCall call;
  call.id = "i";
  call.name = "now";
  call.arguments = "{}";
  call.state = orchestration::sessions::CallState::denied;
  call.result = "Nobody could be asked.";
  end.ran_calls.push_back(call);
  const auto format = make_chat_format({.model = "m", .may_call = true});
  const auto whole = format->whole(chat_text("Hi"), end, {});
  const auto& told = whole.at("choices").at(0).at("message").at("parley").at("calls").at(0);
  EXPECT_EQ(told.at("name"), "now");
  EXPECT_EQ(told.at("state"), "denied");
  EXPECT_EQ(told.at("result"), "Nobody could be asked.");
  EXPECT_FALSE(whole.at("choices").at(0).at("message").at("parley").as_object().contains("limit"));
  const auto last = format->closing(end).back();
  EXPECT_EQ(last.at("choices").at(0).at("delta").at("parley").at("calls").at(0), told);
  EXPECT_FALSE(whole.at("choices").at(0).at("message").as_object().contains("tool_calls"));
  end.limit = "Too many rounds.";
  EXPECT_EQ(format->closing(end).back().at("choices").at(0).at("delta").at("parley").at("limit"),
            "Too many rounds.");
}

TEST(ChatFormatTest, TellsALimitAlsoWhereNothingRan) {
  AnswerEnd end = chat_ending("length");
  end.limit = "Too slow.";
  const auto format = make_chat_format({.model = "m"});
  const auto whole = format->whole(chat_text("Hi"), end, {});
  EXPECT_EQ(inference::json::to_json_text(whole.at("choices").at(0).at("message").at("parley")),
            R"({"calls":[],"limit":"Too slow."})");
  EXPECT_EQ(format->closing(end).back().at("choices").at(0).at("delta").at("parley").at("limit"),
            "Too slow.");
}

}  // namespace
}  // namespace parley::app::api
