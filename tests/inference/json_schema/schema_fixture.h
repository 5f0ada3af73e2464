#pragma once
// Shorthand of the tests of JSON Schema: JSON text to values, and to schemas that must compile, or must not.

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "inference/json_schema/schema.h"

namespace parley::inference::json_schema {

inline json::JsonValue value_of(std::string_view text) {
  auto parsed = json::parse_json(text, {.max_bytes = 1 << 23, .max_depth = 512});
  if (const auto* error = std::get_if<json::JsonError>(&parsed)) {
    ADD_FAILURE() << text.substr(0, 200) << ": " << error->message;
    return nullptr;
  }
  return std::get<json::JsonValue>(std::move(parsed));
}

// `path` is relative to the source folder.
inline json::JsonValue load_json(const std::string& path) {
  std::ifstream in(std::string(PARLEY_SOURCE_DIR) + "/" + path, std::ios::binary);
  EXPECT_TRUE(in) << path << " is not here";
  return value_of(std::string(std::istreambuf_iterator<char>(in), {}));
}

inline Schema schema_of(const json::JsonValue& schema, const SchemaOptions& options = {}) {
  auto result = Schema::compile(schema, options);
  if (const auto* error = std::get_if<SchemaError>(&result)) {
    ADD_FAILURE() << "refused: " << to_text(*error);
    return std::get<Schema>(Schema::compile(true));
  }
  return std::get<Schema>(std::move(result));
}

inline Schema compiled(std::string_view schema, const SchemaOptions& options = {}) {
  return schema_of(value_of(schema), options);
}

// Why the schema is refused; empty, with a failed test, when it is not.
inline SchemaError error_of(const json::JsonValue& schema, const SchemaOptions& options = {}) {
  auto result = Schema::compile(schema, options);
  if (auto* error = std::get_if<SchemaError>(&result)) return std::move(*error);
  ADD_FAILURE() << "was not refused: " << schema;
  return {};
}

inline std::string refusal(std::string_view schema) { return to_text(error_of(value_of(schema))); }

inline bool accepts(std::string_view schema, std::string_view instance, const SchemaOptions& options = {}) {
  return compiled(schema, options).validate(value_of(instance)).empty();
}

// All that is wrong, as it would be shown.
inline std::vector<std::string> complaints(std::string_view schema, std::string_view instance,
                                           const SchemaOptions& options = {}) {
  std::vector<std::string> texts;
  for (const Violation& violation : compiled(schema, options).validate(value_of(instance))) {
    texts.push_back(to_text(violation));
  }
  return texts;
}

// The only thing that is wrong.
inline std::string complaint(std::string_view schema, std::string_view instance,
                             const SchemaOptions& options = {}) {
  const auto texts = complaints(schema, instance, options);
  EXPECT_EQ(texts.size(), 1U) << schema << " on " << instance;
  return texts.empty() ? std::string{} : texts.front();
}

}  // namespace parley::inference::json_schema
