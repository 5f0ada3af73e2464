#include "inference/json_schema/keyword_source.h"

#include <algorithm>
#include <set>
#include <utility>

#include "inference/json_schema/exact_number.h"
#include "inference/json_schema/wording.h"

namespace parley::inference::json_schema {

using json::JsonArray;
using json::JsonValue;

KeywordSource::KeywordSource(SchemaIndex& index, NodeId node, std::string_view keyword, FormatRule formats)
    : index_(index),
      node_(node),
      schema_(index.schema(node).value->get_object()),
      keyword_(keyword),
      formats_(formats) {}

std::vector<NodeId> KeywordSource::nodes_of(const JsonArray& subschemas) const {
  std::vector<NodeId> nodes;
  nodes.reserve(subschemas.size());
  for (const JsonValue& subschema : subschemas) nodes.push_back(node_of(subschema));
  return nodes;
}

NodeId KeywordSource::in_place(const JsonValue& subschema) {
  applied_in_place_.push_back(node_of(subschema));
  return applied_in_place_.back();
}

std::nullptr_t KeywordSource::refuse(std::string_view message) {
  if (!error_) {
    error_ = SchemaError{.place = index_.place_of(node_),
                         .message = "`" + std::string(keyword_) + "` " + std::string(message)};
  }
  return nullptr;
}

std::optional<std::string_view> KeywordSource::text() {
  if (value().is_string()) return value().get_string();
  refuse("must be a string, not " + shown(value()) + ".");
  return std::nullopt;
}

std::optional<std::size_t> count_of(const JsonValue& value) {
  constexpr ExactNumber kLargest = 1e18L;
  if (!is_integer(value) || exact_number(value) < 0) return std::nullopt;
  return static_cast<std::size_t>(std::min(exact_number(value), kLargest));
}

std::optional<std::size_t> KeywordSource::count() {
  const auto count = count_of(value());
  if (!count) refuse("must be a whole number of at least 0, not " + shown(value()) + ".");
  return count;
}

std::optional<JsonValue> KeywordSource::number() {
  if (value().is_number()) return value();
  refuse("must be a number, not " + shown(value()) + ".");
  return std::nullopt;
}

std::optional<bool> KeywordSource::boolean() {
  if (value().is_bool()) return value().get_bool();
  refuse("must be true or false, not " + shown(value()) + ".");
  return std::nullopt;
}

std::optional<std::vector<std::string>> KeywordSource::names(const JsonValue& value) {
  std::vector<std::string> names;
  std::set<std::string_view> seen;
  const JsonArray* list = value.if_array();
  bool good = list != nullptr;
  for (std::size_t i = 0; good && i < list->size(); ++i) {
    good = (*list)[i].is_string() && seen.insert((*list)[i].get_string()).second;
    if (good) names.emplace_back((*list)[i].get_string());
  }
  if (good) return names;
  refuse("must be a list of different property names.");
  return std::nullopt;
}

std::optional<ReferenceTarget> KeywordSource::target() {
  const auto reference = text();
  if (!reference) return std::nullopt;
  auto found = index_.follow(node_, *reference);
  if (auto* target = std::get_if<ReferenceTarget>(&found)) {
    applied_in_place_.push_back(target->node);
    return std::move(*target);
  }
  error_ = std::get<SchemaError>(std::move(found));
  return std::nullopt;
}

}  // namespace parley::inference::json_schema
