#include "app/api/completion_request.h"

#include <gtest/gtest.h>

#include <string>

namespace parley::app::api {
namespace {

CompletionApiRequest accepted_completion(const std::string& text,
                                         const orchestration::turn::GenerationOptions& defaults = {}) {
  auto parsed = parse_completion_request(text, defaults);
  if (const auto* error = std::get_if<ApiError>(&parsed)) {
    ADD_FAILURE() << text << ": " << error->message;
    return {};
  }
  return std::get<CompletionApiRequest>(parsed);
}

std::string refused_param(const std::string& text) {
  auto parsed = parse_completion_request(text, {});
  if (const auto* error = std::get_if<ApiError>(&parsed)) return error->param;
  return "accepted";
}

TEST(CompletionRequestTest, TakesATextOrIdsOrOneOfThese) {
  EXPECT_EQ(std::get<std::string>(accepted_completion(R"({"prompt":"a"})").completion.prompt), "a");
  EXPECT_EQ(std::get<std::string>(accepted_completion(R"({"prompt":["a"]})").completion.prompt), "a");
  const std::vector<std::int32_t> ids = {0, 2147483647};
  EXPECT_EQ(std::get<std::vector<std::int32_t>>(
                accepted_completion(R"({"prompt":[0,2147483647]})").completion.prompt),
            ids);
  EXPECT_EQ(std::get<std::vector<std::int32_t>>(
                accepted_completion(R"({"prompt":[[0,2147483647]]})").completion.prompt),
            ids);
}

TEST(CompletionRequestTest, RefusesOtherPrompts) {
  for (const char* prompt :
       {"", R"("prompt":"")", R"("prompt":[])", R"("prompt":[[]])", R"("prompt":[""])", R"("prompt":5)",
        R"("prompt":{})", R"("prompt":null)", R"("prompt":["a","b"])", R"("prompt":[[1],[2]])",
        R"("prompt":[-1])", R"("prompt":[1.5])", R"("prompt":[2147483648])", R"("prompt":[1,"a"])",
        R"("prompt":[1,null])", R"("prompt":[[["a"]]])"}) {
    EXPECT_EQ(refused_param("{" + std::string(prompt) + "}"), "prompt") << prompt;
  }
}

TEST(CompletionRequestTest, HasItsOwnDefaultLength) {
  EXPECT_EQ(accepted_completion(R"({"prompt":"a"})").completion.options.max_tokens, 16);
  EXPECT_EQ(accepted_completion(R"({"prompt":"a","max_tokens":100})").completion.options.max_tokens, 100);
  orchestration::turn::GenerationOptions defaults;
  defaults.max_tokens = 8;
  EXPECT_EQ(accepted_completion(R"({"prompt":"a"})", defaults).completion.options.max_tokens, 8);
}

TEST(CompletionRequestTest, ReadsLogprobs) {
  EXPECT_EQ(accepted_completion(R"({"prompt":"a"})").completion.options.num_logprobs, -1);
  EXPECT_EQ(accepted_completion(R"({"prompt":"a","logprobs":0})").completion.options.num_logprobs, 0);
  EXPECT_EQ(accepted_completion(R"({"prompt":"a","logprobs":20})").completion.options.num_logprobs, 20);
  EXPECT_EQ(refused_param(R"({"prompt":"a","logprobs":21})"), "logprobs");
  EXPECT_EQ(refused_param(R"({"prompt":"a","logprobs":true})"), "logprobs");
}

TEST(CompletionRequestTest, HasNoTools) {
  EXPECT_EQ(refused_param(R"({"prompt":"a","tools":[]})"), "tools");
  EXPECT_EQ(refused_param(R"({"prompt":"a","tool_choice":"auto"})"), "tool_choice");
  EXPECT_EQ(refused_param(R"({"prompt":"a","parley":{"tools":true}})"), "parley");
  accepted_completion(R"({"prompt":"a","tools":null})");
}

TEST(CompletionRequestTest, RefusesEchoAndSuffix) {
  EXPECT_EQ(refused_param(R"({"prompt":"a","echo":true})"), "echo");
  EXPECT_EQ(refused_param(R"({"prompt":"a","suffix":"b"})"), "suffix");
  accepted_completion(R"({"prompt":"a","echo":false,"suffix":null})");
}

}  // namespace
}  // namespace parley::app::api
