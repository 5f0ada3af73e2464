#pragma once
// A request's body as a JSON object. A plain function, any thread.

#include <string_view>
#include <variant>

#include "app/api/api_error.h"
#include "app/protocol/json.h"

namespace parley::app::api {

inline constexpr std::size_t kMaxApiBody = 8u << 20;

std::variant<protocol::JsonObject, ApiError> parse_body(std::string_view body);

}  // namespace parley::app::api
