#pragma once
// JSON Schema: checks a value against a schema and says in short sentences what is wrong, for a person or a
// language model to act on. Drafts 07, 2019-09 and 2020-12, all keywords of each; README.md lists the edges.
//
// A Schema is immutable: any thread, any number at once. A bad schema is a SchemaError, a bad value a list of
// violations; nothing is ever fetched, and nothing here throws but for memory. Schema and value may be
// hostile: compiling and checking take bounded time, stack and memory.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "inference/json/json.h"
#include "inference/json_schema/violation.h"

namespace parley::inference::json_schema {

struct CompiledSchema;

// What `format` does: the drafts say that it describes only, unless asked.
enum class FormatRule : std::uint8_t { describe, enforce };

struct SchemaOptions {
  FormatRule formats = FormatRule::describe;
  // Of the schema itself.
  std::size_t max_schema_depth = 128;  // of nested arrays and objects
  std::size_t max_schema_values = 200'000;
  // Of one check. A step is about one keyword on one value, or four items tried by a pattern.
  std::size_t max_violations = 10;
  std::size_t max_depth = 512;  // of schemas inside schemas
  std::size_t max_steps = 1'000'000;
};

class Schema {
 public:
  // Copies what it needs. `$schema` decides the draft; without it, 2020-12.
  static std::variant<Schema, SchemaError> compile(const json::JsonValue& schema,
                                                   const SchemaOptions& options = {});

  // Empty: the instance is valid. A check that ran out of steps or depth has exactly one violation, with the
  // keyword kTooComplex.
  std::vector<Violation> validate(const json::JsonValue& instance) const;

 private:
  explicit Schema(std::shared_ptr<const CompiledSchema> compiled) : compiled_(std::move(compiled)) {}

  std::shared_ptr<const CompiledSchema> compiled_;  // shared by the copies of this schema
};

}  // namespace parley::inference::json_schema
