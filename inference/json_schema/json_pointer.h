#pragma once
// JSON pointers (RFC 6901). Pure, any thread.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "inference/json/json.h"

namespace parley::inference::json_schema {

// Appends "/" and the escaped key.
void append_pointer_step(std::string& pointer, std::string_view key);

// The unescaped keys of a pointer; nullopt: it is not one (no "/" at the start, a "~" that escapes nothing).
std::optional<std::vector<std::string>> pointer_steps(std::string_view pointer);

// The member or element that one step leads to; null: there is none.
const json::JsonValue* step_into(const json::JsonValue& value, std::string_view step);

}  // namespace parley::inference::json_schema
