#pragma once
// Whether a schema document is small and shallow enough to be compiled. Pure, any thread; itself bounded.

#include <optional>

#include "inference/json/json.h"
#include "inference/json_schema/schema.h"

namespace parley::inference::json_schema {

std::optional<SchemaError> check_limits(const json::JsonValue& document, const SchemaOptions& options);

}  // namespace parley::inference::json_schema
