#pragma once
// What the maker of a keyword sees of the schema: the keyword's value, its neighbours, and the numbers of the
// schemas inside. Used by one thread, while a schema is compiled.

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "inference/json/json.h"
#include "inference/json_schema/keyword.h"
#include "inference/json_schema/schema_index.h"

namespace parley::inference::json_schema {

class KeywordSource {
 public:
  KeywordSource(SchemaIndex& index, NodeId node, std::string_view keyword, FormatRule formats);

  const json::JsonValue& value() const { return *schema_.if_contains(keyword_); }
  const json::JsonValue* neighbour(std::string_view keyword) const { return schema_.if_contains(keyword); }
  Draft draft() const { return index_.resource_of(node_).draft; }
  FormatRule formats() const { return formats_; }

  // Of the keyword's value, or of something inside it: the index has found it before.
  NodeId node_of(const json::JsonValue& subschema) const { return index_.node_of(subschema); }
  std::vector<NodeId> nodes_of(const json::JsonArray& subschemas) const;
  // The same for a schema that is applied to the very value that the keyword is checked on.
  NodeId in_place(const json::JsonValue& subschema);
  const SchemaIndex& index() const { return index_; }

  // Each of these refuses the keyword where it is not what is asked for.
  std::optional<std::string_view> text();
  std::optional<std::size_t> count();
  std::optional<json::JsonValue> number();
  std::optional<bool> boolean();
  std::optional<std::vector<std::string>> names(const json::JsonValue& value);
  std::optional<ReferenceTarget> target();

  // "`KEYWORD` " + `message`. Returns null, so that a maker can return what it returns.
  std::nullptr_t refuse(std::string_view message);
  const std::optional<SchemaError>& error() const { return error_; }
  // The schemas that in_place() and target() gave.
  const std::vector<NodeId>& applied_in_place() const { return applied_in_place_; }

 private:
  SchemaIndex& index_;
  NodeId node_;
  const json::JsonObject& schema_;
  std::string_view keyword_;
  FormatRule formats_;
  std::optional<SchemaError> error_;
  std::vector<NodeId> applied_in_place_;
};

// A whole number of at least 0; larger ones than any container's size become one such.
std::optional<std::size_t> count_of(const json::JsonValue& value);

// Null: refused, or the keyword asks for nothing.
using KeywordMaker = std::unique_ptr<const Keyword> (*)(KeywordSource& source);

enum class Turn : std::uint8_t { any, last };

struct KeywordEntry {
  std::string_view name;
  KeywordMaker make = nullptr;
  DraftRange drafts;
  Turn turn = Turn::any;
};

// By family, in the order in which they are checked.
std::span<const KeywordEntry> reference_keywords();
std::span<const KeywordEntry> value_keywords();
std::span<const KeywordEntry> number_keywords();
std::span<const KeywordEntry> string_keywords();
std::span<const KeywordEntry> object_keywords();
std::span<const KeywordEntry> property_keywords();
std::span<const KeywordEntry> array_keywords();
std::span<const KeywordEntry> combining_keywords();

}  // namespace parley::inference::json_schema
