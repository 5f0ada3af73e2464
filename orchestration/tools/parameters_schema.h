#pragma once
// The JSON Schema of a tool's arguments. Pure, any thread; a problem is a sentence. What of a schema cannot
// be enforced while arguments are generated is not said here.

#include <optional>
#include <string>
#include <vector>

#include "inference/json/json.h"

namespace parley::orchestration::tools {

// Nullopt: usable as the parameters of a tool: an object schema, references only within it, bounded in depth.
std::optional<std::string> schema_problem(const inference::json::JsonValue& schema);

// Of arguments that do not satisfy the schema: a sentence for the model, with the first few things that are
// wrong. A schema that cannot be used (a stranger's) finds nothing wrong.
std::optional<std::string> argument_problem(const inference::json::JsonObject& schema,
                                            const inference::json::JsonObject& arguments);

// An object of these strings, all required.
inference::json::JsonObject schema_of_strings(const std::vector<std::string>& names);

}  // namespace parley::orchestration::tools
