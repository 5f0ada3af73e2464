#include "inference/json_schema/schema.h"

#include <utility>

#include "inference/json_schema/compiler.h"
#include "inference/json_schema/run.h"

namespace parley::inference::json_schema {

std::variant<Schema, SchemaError> Schema::compile(const json::JsonValue& schema,
                                                  const SchemaOptions& options) {
  auto compiled = compile_schema(schema, options);
  if (auto* error = std::get_if<SchemaError>(&compiled)) return std::move(*error);
  return Schema(std::make_shared<const CompiledSchema>(std::get<CompiledSchema>(std::move(compiled))));
}

std::vector<Violation> Schema::validate(const json::JsonValue& instance) const {
  Run run(*compiled_);
  Marks marks;
  const bool valid = run.apply(0, instance, marks);
  if (run.budget().exhausted()) {
    return {{.place = {},
             .keyword = std::string(kTooComplex),
             .sentence = "is too complex to check against this schema"}};
  }
  if (valid) return {};
  return run.take_violations();
}

}  // namespace parley::inference::json_schema
