#include <gtest/gtest.h>

#include <cstdlib>

#include "app/api/document_routes.h"
#include "app/api/embeddings_request.h"
#include "inference/json/fields.h"
#include "orchestration/mcp/base64.h"
#include "tests/app/api/fake_exchange.h"

namespace parley::app::api {
namespace {

using inference::json::JsonObject;
using retrieval::search::EmbeddedTexts;
using retrieval::search::TextRole;

// Two values a text: its length and a half.
class LengthEmbedder final : public retrieval::search::Embedder {
 public:
  EmbeddedTexts embed(std::span<const std::string> texts, TextRole) override {
    EmbeddedTexts embedded;
    for (const auto& text : texts) {
      embedded.rows.insert(embedded.rows.end(), {static_cast<float>(text.size()), 0.5f});
      embedded.num_tokens.push_back(static_cast<int>(text.size()) + 2);
    }
    return embedded;
  }
  int dim() const override { return 2; }
  int max_tokens() const override { return 254; }
  std::string_view fingerprint() const override { return "length"; }
  const retrieval::chunking::TokenCounter& counter() const override { std::abort(); }
};

std::string refusal(std::string_view body) {
  const auto parsed = parse_embeddings_request(body, 2);
  const auto* error = std::get_if<ApiError>(&parsed);
  return error == nullptr ? "" : error->message;
}

TEST(EmbeddingsRequest, ATextOrAListOfThem) {
  const auto one = std::get<EmbeddingsRequest>(parse_embeddings_request(R"({"input":"a","model":"m"})", 2));
  EXPECT_EQ(one.inputs, std::vector<std::string>{"a"});
  EXPECT_EQ(one.model, "m");
  EXPECT_FALSE(one.as_base64);
  const auto two = std::get<EmbeddingsRequest>(
      parse_embeddings_request(R"({"input":["a","b"],"encoding_format":"base64","dimensions":2})", 2));
  EXPECT_EQ(two.inputs, (std::vector<std::string>{"a", "b"}));
  EXPECT_TRUE(two.as_base64);
}

TEST(EmbeddingsRequest, WhatIsWrongIsSaid) {
  EXPECT_NE(refusal("{}").find("`input` is missing"), std::string::npos);
  EXPECT_NE(refusal(R"({"input":[]})").find("empty list"), std::string::npos);
  EXPECT_NE(refusal(R"({"input":["a"," "]})").find("empty text"), std::string::npos);
  EXPECT_NE(refusal(R"({"input":[[1,2]]})").find("not token ids"), std::string::npos);
  EXPECT_NE(refusal(R"({"input":"a","encoding_format":"int8"})").find("\"float\" or \"base64\""),
            std::string::npos);
  EXPECT_NE(refusal(R"({"input":"a","dimensions":3})").find("it gives 2"), std::string::npos);
}

class DocumentRoutesTest : public testing::Test {
 protected:
  http::Response ask(http::Handler& handler, const std::string& body) {
    http::Request request;
    request.head.method = "POST";
    request.body = body;
    return answer_of(io_, handler, std::move(request));
  }

  boost::asio::io_context io_;
  boost::asio::thread_pool pool_{1};
  LengthEmbedder embedder_;
};

TEST_F(DocumentRoutesTest, EmbeddingsAreInOpenAisShape) {
  const auto handler = make_embeddings({&embedder_, "tiny", "", &pool_});
  const auto answer = ask(*handler, R"({"model":"tiny","input":["abc","e"]})");
  EXPECT_EQ(answer.status, 200);
  EXPECT_EQ(answer.body, R"({"object":"list","data":[{"object":"embedding","index":0,"embedding":[3,0.5]},)"
                         R"({"object":"embedding","index":1,"embedding":[1,0.5]}],"model":"tiny",)"
                         R"("usage":{"prompt_tokens":8,"total_tokens":8}})");
}

TEST_F(DocumentRoutesTest, EmbeddingsInBase64AreLittleEndianFloats) {
  const auto handler = make_embeddings({&embedder_, "tiny", "", &pool_});
  const auto answer = ask(*handler, R"({"input":"abc","encoding_format":"base64"})");
  const float expected[2] = {3.0f, 0.5f};
  const std::string text = orchestration::mcp::to_base64(
      std::string_view(reinterpret_cast<const char*>(expected), sizeof expected));
  EXPECT_NE(answer.body.find("\"embedding\":\"" + text + "\""), std::string::npos) << answer.body;
}

TEST_F(DocumentRoutesTest, AnotherModelOrNoneIsNotFound) {
  const auto handler = make_embeddings({&embedder_, "tiny", "", &pool_});
  const auto other = ask(*handler, R"({"model":"other","input":"a"})");
  EXPECT_EQ(other.status, 404);
  EXPECT_NE(other.body.find("tiny"), std::string::npos) << other.body;
  const auto none = make_embeddings({nullptr, "", "There is no model; fetch one.", &pool_});
  const auto answer = ask(*none, R"({"input":"a"})");
  EXPECT_EQ(answer.status, 404);
  EXPECT_NE(answer.body.find("There is no model; fetch one."), std::string::npos);
}

TEST_F(DocumentRoutesTest, ASearchIsACommandAndItsErrorsAreTheClients) {
  JsonObject asked;
  const auto commands = [&asked](const JsonObject& command) -> JsonObject {
    asked = command;
    if (inference::json::text_field(command, "question").empty()) return {{"error", "Say what to look for."}};
    return {{"passages", inference::json::JsonArray{}}};
  };
  const auto handler = make_document_search(commands, pool_);
  const auto answer = ask(*handler, R"({"query":"pump","collections":["a"],"limit":3,"command":"remove"})");
  EXPECT_EQ(answer.status, 200);
  EXPECT_EQ(answer.body, R"({"passages":[]})");
  EXPECT_EQ(asked, (JsonObject{{"command", "search"},
                               {"question", "pump"},
                               {"collections", inference::json::JsonArray{"a"}},
                               {"limit", 3}}));
  const auto bad = ask(*handler, "{}");
  EXPECT_EQ(bad.status, 400);
  EXPECT_NE(bad.body.find("Say what to look for."), std::string::npos);
}

}  // namespace
}  // namespace parley::app::api
