#include "app/api/chat_request.h"

#include <gtest/gtest.h>

#include <string>

namespace parley::app::api {
namespace {

// {"messages":[<message>]<more>}
std::string body(const std::string& message, const std::string& more = "") {
  return R"({"messages":[)" + message + "]" + more + "}";
}
const std::string kHi = R"({"role":"user","content":"hi"})";

ChatApiRequest accepted(const std::string& text) {
  auto parsed = parse_chat_request(text, {});
  if (const auto* error = std::get_if<ApiError>(&parsed)) {
    ADD_FAILURE() << text << ": " << error->message;
    return {};
  }
  return std::get<ChatApiRequest>(parsed);
}

ApiError refused(const std::string& text) {
  auto parsed = parse_chat_request(text, {});
  if (const auto* error = std::get_if<ApiError>(&parsed)) return *error;
  ADD_FAILURE() << text << " was accepted";
  return {};
}

void expect_refused(const std::string& text, const std::string& param) {
  const ApiError error = refused(text);
  EXPECT_EQ(error.status, 400) << text;
  EXPECT_EQ(error.param, param) << text;
  EXPECT_NE(error.message.find(param), std::string::npos) << text << ": " << error.message;
}

TEST(ChatRequestTest, TakesTheDefaults) {
  orchestration::turn::GenerationOptions defaults;
  defaults.sampling.temperature = 0.3f;
  defaults.max_tokens = 77;
  defaults.stop = {"x"};
  auto parsed = parse_chat_request(body(kHi), defaults);
  const auto& request = std::get<ChatApiRequest>(parsed);
  EXPECT_EQ(request.chat.options.sampling.temperature, 0.3f);
  EXPECT_EQ(request.chat.options.max_tokens, 77);
  EXPECT_EQ(request.chat.options.stop, std::vector<std::string>{"x"});
  EXPECT_FALSE(request.generation.stream);
  EXPECT_EQ(request.chat.options.sampling.seed, std::nullopt);
}

TEST(ChatRequestTest, TreatsNullAsNotSaid) {
  accepted(body(
      kHi,
      R"(,"temperature":null,"stop":null,"seed":null,"max_tokens":null,"stream":null,"stream_options":null,)"
      R"("tools":null,"tool_choice":null,"response_format":null,"n":null,"logit_bias":null,"logprobs":null)"));
}

TEST(ChatRequestTest, TakesWhatAsksForNothing) {
  accepted(body(
      kHi,
      R"(,"n":1,"tools":[],"tool_choice":"none","response_format":{"type":"text"},"logit_bias":{},)"
      R"("presence_penalty":0,"frequency_penalty":0.0,"modalities":["text"],"parallel_tool_calls":true,"new":{"a":1})"));
}

TEST(ChatRequestTest, RefusesWhatItCannotDo) {
  for (const char* field :
       {R"("n":2)", R"("tools":[{"type":"function"}])", R"("tool_choice":"required")", R"("functions":[{}])",
        R"("response_format":{"type":"json_object"})",
        R"("response_format":{"type":"json_schema","json_schema":{}})", R"("logit_bias":{"1":2})",
        R"("presence_penalty":0.5)", R"("frequency_penalty":-1)", R"("modalities":["audio"])",
        R"("audio":{})", R"("chat_template":"x")", R"("chat_template_kwargs":{"a":1})", R"("best_of":3)",
        R"("n":"1")"}) {
    const std::string name = std::string(field).substr(1, std::string(field).find('"', 1) - 1);
    expect_refused(body(kHi, "," + std::string(field)), name);
  }
}

TEST(ChatRequestTest, ChecksEveryNumber) {
  for (const char* name : {"temperature", "top_p", "min_p", "repeat_penalty", "repetition_penalty",
                           "max_tokens", "max_completion_tokens", "top_k", "seed", "top_logprobs"}) {
    for (const char* value : {"-2", "1e308", "1e30", "\"1\"", "[]", "{}", "true", "9223372036854775808"}) {
      if (std::string(name) == "seed" && std::string(value) == "-2") continue;  // seeds may be negative
      expect_refused(body(kHi, ",\"" + std::string(name) + "\":" + value), name);
    }
    expect_refused(body(kHi, ",\"" + std::string(name) + "\":NaN"), name);
    expect_refused(body(kHi, ",\"" + std::string(name) + "\":Infinity"), name);
    expect_refused(body(kHi, ",\"" + std::string(name) + "\":1e999"), name);
  }
  expect_refused(body(kHi, R"(,"max_tokens":0)"), "max_tokens");
  expect_refused(body(kHi, R"(,"max_tokens":1.5)"), "max_tokens");
  expect_refused(body(kHi, R"(,"max_tokens":2147483648)"), "max_tokens");
  expect_refused(body(kHi, R"(,"temperature":2.01)"), "temperature");
  expect_refused(body(kHi, R"(,"logprobs":true,"top_logprobs":21)"), "top_logprobs");
  expect_refused(body(kHi, R"(,"top_logprobs":2)"), "top_logprobs");
}

TEST(ChatRequestTest, ReadsSeedsAndDisabledTopK) {
  EXPECT_EQ(accepted(body(kHi, R"(,"seed":-1)")).chat.options.sampling.seed, 18446744073709551615u);
  EXPECT_EQ(accepted(body(kHi, R"(,"top_k":-1)")).chat.options.sampling.top_k, 0);
}

TEST(ChatRequestTest, ChecksStops) {
  EXPECT_EQ(accepted(body(kHi, R"(,"stop":["a","","b"])")).chat.options.stop,
            (std::vector<std::string>{"a", "b"}));
  std::string many;
  for (int i = 0; i < 17; ++i) many += i == 0 ? "\"a\"" : ",\"a\"";
  expect_refused(body(kHi, ",\"stop\":[" + many + "]"), "stop");
  expect_refused(body(kHi, ",\"stop\":\"" + std::string(1025, 'a') + "\""), "stop");
  expect_refused(body(kHi, R"(,"stop":[1])"), "stop");
  expect_refused(body(kHi, R"(,"stop":5)"), "stop");
}

TEST(ChatRequestTest, ChecksStreaming) {
  EXPECT_TRUE(accepted(body(kHi, R"(,"stream":true,"stream_options":{"include_usage":true})"))
                  .generation.include_usage);
  expect_refused(body(kHi, R"(,"stream":1)"), "stream");
  expect_refused(body(kHi, R"(,"stream_options":{})"), "stream_options");
  expect_refused(body(kHi, R"(,"stream":true,"stream_options":{"include_usage":"yes"})"),
                 "stream_options.include_usage");
}

TEST(ChatRequestTest, ChecksMessages) {
  expect_refused("{}", "messages");
  expect_refused(R"({"messages":[]})", "messages");
  expect_refused(R"({"messages":{}})", "messages");
  expect_refused(body("5"), "messages[0]");
  expect_refused(body(R"({"content":"x"})"), "messages[0].role");
  expect_refused(body(R"({"role":"robot","content":"x"})"), "messages[0].role");
  expect_refused(body(R"({"role":"tool","content":"x"})"), "messages[0].role");
  expect_refused(body(kHi + R"(,{"role":"user"})"), "messages[1].content");
  expect_refused(body(R"({"role":"assistant","content":null})"), "messages[0].content");
  expect_refused(body(R"({"role":"assistant","content":"","tool_calls":[{}]})"), "messages[0].tool_calls");
  expect_refused(
      body(R"({"role":"user","content":[{"type":"text","text":"a"},{"type":"image_url","image_url":{}}]})"),
      "messages[0].content[1].type");
  expect_refused(body(R"({"role":"user","content":["a"]})"), "messages[0].content[0]");
  expect_refused(body(R"({"role":"user","content":[{"type":"text"}]})"), "messages[0].content[0].text");
  accepted(body(R"({"role":"assistant","content":"","tool_calls":[]})"));
}

TEST(ChatRequestTest, SaysThatImagesAreNotRead) {
  const ApiError error = refused(body(R"({"role":"user","content":[{"type":"image_url"}]})"));
  EXPECT_NE(error.message.find("text only"), std::string::npos) << error.message;
}

TEST(ChatRequestTest, ContinuesOnlyAnAssistantsMessage) {
  EXPECT_TRUE(accepted(body(R"({"role":"assistant","content":"a"})", R"(,"continue_final_message":true)"))
                  .chat.continue_last);
  expect_refused(body(kHi, R"(,"continue_final_message":true)"), "continue_final_message");
}

TEST(ChatRequestTest, RefusesWhatIsNoJson) {
  for (const std::string& text : {std::string(), std::string("{"), std::string("[]"), std::string("nonsense"),
                                  std::string(3000, '['), body(kHi, R"(,"n":1,"n":1)")}) {
    EXPECT_EQ(refused(text).code, "invalid_json") << text.substr(0, 20);
  }
}

}  // namespace
}  // namespace parley::app::api
