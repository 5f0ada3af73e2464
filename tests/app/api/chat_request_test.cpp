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

ChatApiRequest accepted_chat(const std::string& text) {
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

TEST(ChatRequestTest, NamesTheNumberThatJsonCannotHold) {
  for (const char* value : {"NaN", "Infinity", "1e999"}) {
    expect_refused(body(kHi, ",\"temperature\":" + std::string(value)), "temperature");
  }
}

TEST(ChatRequestTest, ChecksLogprobs) {
  EXPECT_EQ(accepted_chat(body(kHi, R"(,"logprobs":true,"top_logprobs":20)")).chat.options.num_logprobs, 20);
  EXPECT_EQ(accepted_chat(body(kHi, R"(,"logprobs":true)")).chat.options.num_logprobs, 0);
  EXPECT_EQ(accepted_chat(body(kHi, R"(,"logprobs":null)")).chat.options.num_logprobs, -1);
  for (const char* top : {"-1", "21", "1.5", "true", "\"1\""}) {
    expect_refused(body(kHi, R"(,"logprobs":true,"top_logprobs":)" + std::string(top)), "top_logprobs");
  }
  expect_refused(body(kHi, R"(,"top_logprobs":2)"), "top_logprobs");
}

TEST(ChatRequestTest, HasTheCommonFieldsAndTheirErrors) {
  EXPECT_EQ(accepted_chat(body(kHi, R"(,"model":"m")")).generation.model, "m");
  EXPECT_EQ(accepted_chat(body(kHi, R"(,"temperature":0.5)")).chat.options.sampling.temperature, 0.5f);
  expect_refused(body(kHi, R"(,"n":2)"), "n");
}

TEST(ChatRequestTest, ChecksMessages) {
  expect_refused("{}", "messages");
  expect_refused(R"({"messages":[]})", "messages");
  expect_refused(R"({"messages":{}})", "messages");
  expect_refused(body("5"), "messages[0]");
  expect_refused(body(R"({"content":"x"})"), "messages[0].role");
  expect_refused(body(R"({"role":"robot","content":"x"})"), "messages[0].role");
  expect_refused(body(kHi + R"(,{"role":"user"})"), "messages[1].content");
  expect_refused(body(R"({"role":"assistant","content":null})"), "messages[0].content");
  expect_refused(
      body(R"({"role":"user","content":[{"type":"text","text":"a"},{"type":"image_url","image_url":{}}]})"),
      "messages[0].content[1].type");
  expect_refused(body(R"({"role":"user","content":["a"]})"), "messages[0].content[0]");
  expect_refused(body(R"({"role":"user","content":[{"type":"text"}]})"), "messages[0].content[0].text");
  accepted_chat(body(R"({"role":"assistant","content":"","tool_calls":[]})"));
}

TEST(ChatRequestTest, SaysThatImagesAreNotRead) {
  const ApiError error = refused(body(R"({"role":"user","content":[{"type":"image_url"}]})"));
  EXPECT_NE(error.message.find("text only"), std::string::npos) << error.message;
}

TEST(ChatRequestTest, ContinuesOnlyAnAssistantsMessage) {
  EXPECT_TRUE(
      accepted_chat(body(R"({"role":"assistant","content":"a"})", R"(,"continue_final_message":true)"))
          .chat.continue_last);
  expect_refused(body(kHi, R"(,"continue_final_message":true)"), "continue_final_message");
  expect_refused(body(R"({"role":"assistant","content":"{"})",
                      R"(,"continue_final_message":true,"response_format":{"type":"json_object"})"),
                 "continue_final_message");
}

const std::string kOneTool = R"(,"tools":[{"type":"function","function":{"name":"a"}}])";

TEST(ChatRequestTest, ReadsTools) {
  const auto request =
      accepted_chat(body(kHi, kOneTool + R"(,"tool_choice":"required","parallel_tool_calls":false)"));
  ASSERT_EQ(request.chat.tools.tools.size(), 1u);
  EXPECT_EQ(request.chat.tools.choice, orchestration::turn::ToolChoice::required);
  EXPECT_FALSE(request.chat.tools.parallel);
  EXPECT_FALSE(request.server_tools.wanted());
  EXPECT_TRUE(accepted_chat(body(kHi, R"(,"parley":{"tools":["now"]})")).server_tools.wanted());
  expect_refused(body(kHi, R"(,"tools":[{}])"), "tools[0].type");
  const std::string raw = R"(,"parley":{"tool_mode":"raw"})";
  EXPECT_EQ(accepted_chat(body(kHi, kOneTool + raw)).chat.tools.mode, orchestration::turn::ToolMode::raw);
  expect_refused(body(kHi, kOneTool + raw + R"(,"tool_choice":"required")"), "parley.tool_mode");
  expect_refused(body(kHi, kOneTool + R"(,"tool_choice":"all")"), "tool_choice");
  expect_refused(body(kHi, R"(,"parley":{"tool":1})"), "parley.tool");
  expect_refused(body(kHi, kOneTool + R"(,"n":2)"), "n");
}

TEST(ChatRequestTest, DoesNotMixToolsWithAForm) {
  const std::string form = R"(,"response_format":{"type":"json_object"})";
  expect_refused(body(kHi, kOneTool + form), "response_format");
  expect_refused(body(kHi, kOneTool + R"(,"guided_regex":"a")"), "guided_regex");
  expect_refused(body(kHi, R"(,"parley":{"tools":true})" + form), "response_format");
  accepted_chat(body(kHi, kOneTool + R"(,"response_format":{"type":"text"})"));
  const auto request =
      accepted_chat(body(kHi, kOneTool + form + R"(,"parley":{"tools":true},"tool_choice":"none")"));
  EXPECT_TRUE(request.chat.tools.tools.empty());
  EXPECT_FALSE(request.server_tools.wanted());
  EXPECT_EQ(request.chat.format.kind, orchestration::turn::OutputFormat::Kind::json_object);
}

TEST(ChatRequestTest, DoesNotMixToolsWithLogprobs) {
  expect_refused(body(kHi, kOneTool + R"(,"logprobs":true)"), "logprobs");
  EXPECT_EQ(
      accepted_chat(body(kHi, kOneTool + R"(,"logprobs":true,"tool_choice":"none")")).chat.tools.tools.size(),
      1u);
  accepted_chat(body(kHi, kOneTool + R"(,"logprobs":false)"));
}

TEST(ChatRequestTest, DoesNotGoOnWithAMessageThatCalled) {
  expect_refused(
      body(R"({"role":"assistant","tool_calls":[{"id":"c","function":{"name":"a","arguments":"{}"}}]})",
           R"(,"continue_final_message":true)"),
      "continue_final_message");
}

TEST(ChatRequestTest, PointsFromTheOlderFormToTheNewer) {
  expect_refused(body(kHi, R"(,"functions":[{"name":"a"}])"), "functions");
  expect_refused(body(kHi, R"(,"function_call":{"name":"a"})"), "function_call");
  EXPECT_NE(refused(body(kHi, R"(,"functions":[{"name":"a"}])")).message.find("tools"), std::string::npos);
  accepted_chat(body(kHi, R"(,"functions":[],"function_call":"none")"));
}

TEST(ChatRequestTest, RefusesWhatIsNoJson) {
  for (const std::string& text : {std::string(), std::string("{"), std::string("[]"), std::string("nonsense"),
                                  std::string(3000, '['), body(kHi, R"(,"n":1,"n":1)")}) {
    EXPECT_EQ(refused(text).code, "invalid_json") << text.substr(0, 20);
  }
}

}  // namespace
}  // namespace parley::app::api
