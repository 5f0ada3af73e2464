#pragma once
// Makes the numbered nodes of a schema out of its document. Used by one thread; a bad schema is a
// SchemaError.

#include <variant>

#include "inference/json/json.h"
#include "inference/json_schema/keyword.h"

namespace parley::inference::json_schema {

std::variant<CompiledSchema, SchemaError> compile_schema(const json::JsonValue& schema,
                                                         const SchemaOptions& options);

}  // namespace parley::inference::json_schema
