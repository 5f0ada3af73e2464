#pragma once
// JSON with comments and trailing commas, with the place of what is wrong. Pure, any thread.

#include <string>
#include <string_view>
#include <variant>

#include "inference/json/json.h"

namespace parley::orchestration::tools {

constexpr std::size_t kMaxConfigBytes = std::size_t{4} << 20;

// The value, or a sentence that names line and column where they are known.
std::variant<inference::json::JsonValue, std::string> parse_config(std::string_view text);

}  // namespace parley::orchestration::tools
