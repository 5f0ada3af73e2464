#pragma once
// The readers of JSON fields (inference/json/fields.h), which nearly all of this folder uses, by their bare
// names.

#include "inference/json/fields.h"

namespace parley::orchestration::mcp {

using inference::json::array_field;
using inference::json::integer_field;
using inference::json::is_true;
using inference::json::JsonArray;
using inference::json::JsonObject;
using inference::json::JsonValue;
using inference::json::number_field;
using inference::json::object_field;
using inference::json::text_field;

}  // namespace parley::orchestration::mcp
