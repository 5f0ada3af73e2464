// Mutated bodies: every one gives a request within its bounds, or an error that names what is wrong.
#include <gtest/gtest.h>

#include <string>

#include "app/api/chat_request.h"
#include "app/api/completion_request.h"
#include "orchestration/tools/tool_name.h"
#include "tests/fakes/mutator.h"

namespace parley::app::api {
namespace {

using tests::fakes::fuzz_rounds;
using tests::fakes::Mutator;

void expect_within_bounds(const orchestration::turn::GenerationOptions& options) {
  EXPECT_TRUE(options.sampling.temperature >= 0 && options.sampling.temperature <= 2);
  EXPECT_TRUE(options.sampling.top_p >= 0 && options.sampling.top_p <= 1);
  EXPECT_TRUE(options.sampling.min_p >= 0 && options.sampling.min_p <= 1);
  EXPECT_TRUE(options.sampling.repeat_penalty > 0 && options.sampling.repeat_penalty <= 10);
  EXPECT_GE(options.sampling.top_k, 0);
  EXPECT_GE(options.max_tokens, 0);
  EXPECT_TRUE(options.num_logprobs >= -1 && options.num_logprobs <= kMaxLogprobs);
  EXPECT_LE(options.stop.size(), 16u);
}

void expect_callable(const orchestration::turn::ToolOffer& offer) {
  EXPECT_LE(offer.tools.size(), 128u);
  for (const auto& tool : offer.tools) EXPECT_TRUE(orchestration::tools::is_tool_name(tool->spec().name));
  const auto choice = offer.choice;
  EXPECT_TRUE(choice != orchestration::turn::ToolChoice::required || !offer.tools.empty());
  EXPECT_TRUE(choice != orchestration::turn::ToolChoice::named || has_tool(offer.tools, offer.named));
}

void expect_sendable(const ApiError& error) {
  EXPECT_FALSE(error.message.empty());
  const auto response = error_response(error);
  EXPECT_EQ(response.status, 400);
  EXPECT_TRUE(std::holds_alternative<inference::json::JsonValue>(
      inference::json::parse_json(response.body, {.max_bytes = 1 << 20})));
}

TEST(ApiFuzzTest, ChatRequests) {
  Mutator mutator(
      {R"({"model":"m","messages":[{"role":"system","content":"s"},{"role":"user","content":[{"type":"text","text":"t"}]}],)"
       R"("temperature":0.5,"top_p":1,"seed":-5,"stop":["a","b"],"stream":true,"stream_options":{"include_usage":true}})",
       R"({"messages":[{"role":"user","content":"\ud83d\ude00"}],"n":1,"logprobs":true,"top_logprobs":3,"max_tokens":7,"tools":[]})",
       R"({"messages":[{"role":"assistant","content":null,"reasoning_content":"r","tool_calls":[{"id":"c","type":"function",)"
       R"("function":{"name":"f","arguments":"{\"a\":1}"}}]},{"role":"tool","tool_call_id":"c","content":"1"}],)"
       R"("tools":[{"type":"function","function":{"name":"f","parameters":{"type":"object","properties":{"a":{"type":"integer"}}},)"
       R"("strict":true}}],"tool_choice":{"type":"function","function":{"name":"f"}},"parallel_tool_calls":false})",
       R"({"messages":[{"role":"user","content":"x"}],"parley":{"tools":["a"]},"tools":[{"type":"function",)"
       R"("function":{"name":"f"}}],"tool_choice":{"type":"allowed_tools","allowed_tools":{"mode":"auto","tools":[]}}})"},
      4);
  int num_accepted = 0;
  for (std::size_t round = 0; round < fuzz_rounds(20'000); ++round) {
    const std::string body = mutator.next();
    auto parsed = parse_chat_request(body, {});
    if (const auto* error = std::get_if<ApiError>(&parsed)) {
      expect_sendable(*error);
    } else {
      const auto& request = std::get<ChatApiRequest>(parsed);
      EXPECT_FALSE(request.chat.messages.empty());
      expect_within_bounds(request.chat.options);
      if (!request.server_tools.wanted()) expect_callable(request.chat.tools);
      ++num_accepted;
    }
    ASSERT_FALSE(HasFailure()) << body;
  }
  EXPECT_GT(num_accepted, 0);
}

TEST(ApiFuzzTest, CompletionRequests) {
  Mutator mutator({R"({"prompt":"text","logprobs":2,"max_tokens":5,"echo":false})",
                   R"({"prompt":[1,2,3],"temperature":0.0,"top_k":40,"min_p":1e-2})"},
                  5);
  int num_accepted = 0;
  for (std::size_t round = 0; round < fuzz_rounds(20'000); ++round) {
    const std::string body = mutator.next();
    auto parsed = parse_completion_request(body, {});
    if (const auto* error = std::get_if<ApiError>(&parsed)) {
      expect_sendable(*error);
    } else {
      expect_within_bounds(std::get<CompletionApiRequest>(parsed).completion.options);
      ++num_accepted;
    }
    ASSERT_FALSE(HasFailure()) << body;
  }
  EXPECT_GT(num_accepted, 0);
}

}  // namespace
}  // namespace parley::app::api
