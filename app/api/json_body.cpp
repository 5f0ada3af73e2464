#include "app/api/json_body.h"

#include <utility>

namespace parley::app::api {

std::variant<inference::json::JsonObject, ApiError> parse_body(std::string_view body) {
  auto parsed = inference::json::parse_json(body, {.max_bytes = body.size()});
  if (const auto* error = std::get_if<inference::json::JsonError>(&parsed)) return invalid_json(*error);
  auto& value = std::get<inference::json::JsonValue>(parsed);
  if (auto* object = value.if_object()) return std::move(*object);
  ApiError error;
  error.message = "The body must be a JSON object.";
  error.code = "invalid_json";
  return error;
}

}  // namespace parley::app::api
