#pragma once
// Errors of the HTTP routes in the shape that OpenAI's clients read:
//   {"error":{"message":…,"type":…,"param":…,"code":…}}
// Plain functions, any thread; never fails.

#include <string>
#include <vector>

#include "app/http/response.h"
#include "app/protocol/field_reader.h"
#include "inference/json/json.h"
#include "orchestration/turn/chat_model.h"

namespace parley::app::api {

struct ApiError {
  int status = 400;
  std::string message;  // what happened and what to do
  std::string param;    // the field to blame; empty: none
  std::string code;     // for programs; empty: none
  std::vector<http::Field> fields;
};

ApiError invalid_field(const protocol::FieldError& error);
ApiError invalid_json(const inference::json::JsonError& error);
ApiError error_of(const orchestration::turn::ChatRejection& rejection);
ApiError error_of(const http::Refusal& refusal);
ApiError model_not_found(const std::string& model_here);

inference::json::JsonObject error_object(const ApiError& error);
http::Response error_response(const ApiError& error);

// An answer of a route: JSON that no cache keeps.
http::Response json_response(const inference::json::JsonValue& value, int status = 200);

}  // namespace parley::app::api
