#pragma once
// How values and numbers are shown in messages: short, whatever the value. Pure, any thread.

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "inference/json/json.h"

namespace parley::inference::json_schema {

// `text` as a JSON string, cut after 60 characters.
std::string quoted(std::string_view text);
// The first 60 characters of `text`.
std::string cut(std::string_view text);
// Scalars as JSON, cut; "an object", "an array".
std::string shown(const json::JsonValue& value);
// "1 item", "3 items".
std::string counted(std::size_t count, std::string_view noun);
// "a, b or c"; the first ten, then "…".
std::string listed(std::span<const std::string> words, std::string_view last_joint);

}  // namespace parley::inference::json_schema
