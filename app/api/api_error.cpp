#include "app/api/api_error.h"

#include <utility>

#include "app/protocol/frame_views.h"
#include "inference/json/json_writer.h"

namespace parley::app::api {
namespace {

using orchestration::turn::ChatRejection;
using orchestration::turn::OutputFormat;

std::string_view type_of(int status) {
  switch (status) {
    case 401:
      return "authentication_error";
    case 403:
      return "permission_error";
    case 404:
      return "not_found_error";
    case 429:
      return "rate_limit_error";
    default:
      return status < 500 ? "invalid_request_error" : "server_error";
  }
}

std::string code_of(int status) {
  switch (status) {
    case 401:
      return "invalid_api_key";
    case 404:
      return "not_found";
    case 405:
      return "method_not_allowed";
    case 413:
      return "request_too_large";
    case 415:
      return "unsupported_media_type";
    case 503:
      return "receiving_too_much";
    default:
      return {};
  }
}

// The field that asked for what cannot be enforced.
std::string field_of(OutputFormat::Kind format) {
  if (format == OutputFormat::Kind::free) return "tools";  // a tool's schema
  return format == OutputFormat::Kind::regex ? "guided_regex" : "response_format";
}

http::Field retry_after(int seconds) { return {"Retry-After", std::to_string(seconds)}; }

}  // namespace

ApiError invalid_field(const protocol::FieldError& error) {
  ApiError result;
  result.message = error.message;
  result.param = error.field;
  result.code = "invalid_value";
  return result;
}

ApiError invalid_json(const inference::json::JsonError& error) {
  ApiError result;
  result.message = "The body cannot be read: " + error.message;
  if (!error.key.empty()) result.message += " It is in `" + error.key + "`.";
  result.param = error.key;
  result.code = "invalid_json";
  return result;
}

ApiError error_of(const ChatRejection& rejection) {
  ApiError error;
  error.message = rejection.message;
  switch (rejection.kind) {
    case ChatRejection::Kind::model_loading:
      error.status = 503;
      error.code = "model_loading";
      error.fields.push_back(retry_after(2));
      break;
    case ChatRejection::Kind::model_failed:
      error.status = 503;
      error.code = "model_failed";
      break;
    case ChatRejection::Kind::prompt_too_long:
      error.code = "context_length_exceeded";
      break;
    case ChatRejection::Kind::invalid_prompt:
      error.code = "invalid_prompt";
      break;
    case ChatRejection::Kind::invalid_format:
      error.param = field_of(rejection.format);
      error.code = error.param == "tools" ? "invalid_tools" : "invalid_response_format";
      break;
    case ChatRejection::Kind::queue_full:
      error.status = 429;
      error.code = "queue_full";
      error.fields.push_back(retry_after(1));
      break;
    case ChatRejection::Kind::shutting_down:
      error.status = 503;
      error.code = "shutting_down";
      error.fields.push_back(retry_after(5));
      break;
  }
  return error;
}

ApiError error_of(const http::Refusal& refusal) {
  ApiError error;
  error.status = refusal.status;
  error.message = refusal.message;
  error.code = code_of(refusal.status);
  error.fields = refusal.fields;
  return error;
}

ApiError model_not_found(const std::string& model_here) {
  ApiError error;
  error.status = 404;
  error.message = "There is no such model here. This server has \"" + model_here + "\".";
  error.code = "model_not_found";
  return error;
}

inference::json::JsonObject error_object(const ApiError& error) {
  inference::json::JsonObject inner;
  inner["message"] = error.message;
  inner["type"] = type_of(error.status);
  inner["param"] = protocol::text_or_null(error.param);
  inner["code"] = protocol::text_or_null(error.code);
  inference::json::JsonObject outer;
  outer["error"] = std::move(inner);
  return outer;
}

http::Response error_response(const ApiError& error) {
  http::Response response = json_response(error_object(error), error.status);
  response.fields.insert(response.fields.end(), error.fields.begin(), error.fields.end());
  return response;
}

http::Response json_response(const inference::json::JsonValue& value, int status) {
  http::Response response;
  response.status = status;
  response.content_type = "application/json";
  response.fields.push_back({"Cache-Control", "no-store"});
  response.body = inference::json::to_json_text(value);
  return response;
}

}  // namespace parley::app::api
