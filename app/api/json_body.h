#pragma once
// A request's body, within its route's limit already, as a JSON object. A plain function, any thread; bad
// text is an ApiError value.

#include <string_view>
#include <variant>

#include "app/api/api_error.h"
#include "inference/json/json.h"

namespace parley::app::api {

std::variant<inference::json::JsonObject, ApiError> parse_body(std::string_view body);

}  // namespace parley::app::api
