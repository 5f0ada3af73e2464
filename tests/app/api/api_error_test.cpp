#include "app/api/api_error.h"

#include <gtest/gtest.h>

#include <string>

#include "inference/json/json_writer.h"

namespace parley::app::api {
namespace {

using orchestration::turn::ChatRejection;

TEST(ApiErrorTest, HasTheShapeThatClientsRead) {
  ApiError error;
  error.message = "It is \"wrong\".";
  EXPECT_EQ(
      inference::json::to_json_text(error_object(error)),
      R"({"error":{"message":"It is \"wrong\".","type":"invalid_request_error","param":null,"code":null}})");
  error.param = "top_k";
  error.code = "invalid_value";
  error.fields.push_back({"Retry-After", "3"});
  const http::Response response = error_response(error);
  EXPECT_EQ(response.status, 400);
  EXPECT_EQ(response.content_type, "application/json");
  EXPECT_NE(response.body.find(R"("param":"top_k","code":"invalid_value")"), std::string::npos);
  ASSERT_EQ(response.fields.size(), 2u);
  EXPECT_EQ(response.fields[0].value, "no-store");
  EXPECT_EQ(response.fields[1].name, "Retry-After");
}

TEST(ApiErrorTest, TypesFollowTheStatus) {
  const std::pair<int, const char*> types[] = {{400, "invalid_request_error"}, {401, "authentication_error"},
                                               {403, "permission_error"},      {404, "not_found_error"},
                                               {413, "invalid_request_error"}, {429, "rate_limit_error"},
                                               {500, "server_error"},          {503, "server_error"}};
  for (const auto& [status, type] : types) {
    ApiError error;
    error.status = status;
    EXPECT_EQ(error_object(error).at("error").at("type"), type) << status;
  }
}

TEST(ApiErrorTest, RejectionsSayWhenToTryAgain) {
  using Kind = ChatRejection::Kind;
  struct Case {
    Kind kind;
    int status;
    const char* code;
    const char* retry_after;  // nullptr: trying again does not help
  };
  const Case cases[] = {{Kind::model_loading, 503, "model_loading", "2"},
                        {Kind::model_failed, 503, "model_failed", nullptr},
                        {Kind::prompt_too_long, 400, "context_length_exceeded", nullptr},
                        {Kind::invalid_prompt, 400, "invalid_prompt", nullptr},
                        {Kind::queue_full, 429, "queue_full", "1"},
                        {Kind::shutting_down, 503, "shutting_down", "5"}};
  for (const Case& expected : cases) {
    ChatRejection rejection;
    rejection.kind = expected.kind;
    rejection.message = "Because.";
    const ApiError error = error_of(rejection);
    EXPECT_EQ(error.status, expected.status) << expected.code;
    EXPECT_EQ(error.code, expected.code);
    EXPECT_EQ(error.message, "Because.");
    EXPECT_EQ(error.fields.size(), expected.retry_after == nullptr ? 0u : 1u) << expected.code;
    if (expected.retry_after != nullptr && !error.fields.empty()) {
      EXPECT_EQ(error.fields[0].value, expected.retry_after);
    }
  }
}

TEST(ApiErrorTest, NamesTheFieldThatCannotBeEnforced) {
  using Format = orchestration::turn::OutputFormat::Kind;
  const auto refused = [](Format format) {
    ChatRejection rejection;
    rejection.kind = ChatRejection::Kind::invalid_format;
    rejection.format = format;
    const ApiError error = error_of(rejection);
    EXPECT_EQ(error.status, 400);
    return error.param + " " + error.code;
  };
  EXPECT_EQ(refused(Format::json_schema), "response_format invalid_response_format");
  EXPECT_EQ(refused(Format::json_object), "response_format invalid_response_format");
  EXPECT_EQ(refused(Format::regex), "guided_regex invalid_response_format");
  EXPECT_EQ(refused(Format::free), "tools invalid_tools") << "the schema of a tool";
}

TEST(ApiErrorTest, RefusalsOfTheServerKeepTheirFields) {
  const ApiError error = error_of(http::Refusal{405, "Not so.", {{"Allow", "GET"}}});
  EXPECT_EQ(error.status, 405);
  EXPECT_EQ(error.code, "method_not_allowed");
  EXPECT_EQ(error.fields.at(0).value, "GET");
  const std::pair<int, const char*> codes[] = {{401, "invalid_api_key"},
                                               {404, "not_found"},
                                               {413, "request_too_large"},
                                               {415, "unsupported_media_type"},
                                               {400, ""}};
  for (const auto& [status, code] : codes) EXPECT_EQ(error_of(http::Refusal{status, "", {}}).code, code);
}

TEST(ApiErrorTest, BadBodiesNameTheField) {
  inference::json::JsonError twice;
  twice.key = "n";
  twice.message = "An object holds the same key twice.";
  const ApiError error = invalid_json(twice);
  EXPECT_EQ(error.message, "The body cannot be read: An object holds the same key twice. It is in `n`.");
  EXPECT_EQ(error.param, "n");
  EXPECT_EQ(invalid_json({}).message.find("It is in"), std::string::npos);
  const ApiError field = invalid_field({.field = "seed", .message = "`seed` is wrong."});
  EXPECT_EQ(field.param, "seed");
  EXPECT_EQ(field.message, "`seed` is wrong.");
}

TEST(ApiErrorTest, AnUnknownModelNamesTheOneThatIsHere) {
  const ApiError error = model_not_found("tiny");
  EXPECT_EQ(error.status, 404);
  EXPECT_NE(error.message.find("\"tiny\""), std::string::npos);
}

}  // namespace
}  // namespace parley::app::api
