#include "inference/json_schema/compiler.h"

#include <optional>
#include <utility>

#include "inference/json_schema/document_limits.h"
#include "inference/json_schema/endless_reference.h"
#include "inference/json_schema/keyword_source.h"
#include "inference/json_schema/schema_index.h"

namespace parley::inference::json_schema {
namespace {

using json::JsonObject;
using json::JsonValue;

class Compiler {
 public:
  explicit Compiler(const SchemaOptions& options) { compiled_.options = options; }

  std::variant<CompiledSchema, SchemaError> compile(const JsonValue& schema) {
    if (auto error = check_limits(schema, compiled_.options)) return std::move(*error);
    if (auto error = index_.add_document(schema)) return std::move(*error);
    // Following references adds schemas to the index; they are compiled in their turn.
    for (NodeId id = 0; id < index_.size(); ++id) {
      if (auto error = compile_node(id)) return std::move(*error);
    }
    if (const auto endless = find_endless_reference(applied_in_place_)) {
      return SchemaError{.place = index_.place_of(*endless),
                         .message =
                             "This schema leads back to itself without looking any deeper into the value, so "
                             "no check would ever end."};
    }
    for (const Resource& resource : index_.resources()) {
      compiled_.resources.push_back({.root = resource.root,
                                     .recursive_anchor = resource.recursive_anchor,
                                     .dynamic_anchors = resource.dynamic_anchors});
    }
    return std::move(compiled_);
  }

 private:
  std::optional<SchemaError> compile_node(NodeId id) {
    const JsonValue& schema = *index_.schema(id).value;
    Node node;
    node.resource = index_.schema(id).resource;
    node.allows_nothing = schema.is_bool() && !schema.get_bool();
    applied_in_place_.emplace_back();
    if (const JsonObject* object = schema.if_object()) {
      for (const auto family :
           {value_keywords(), reference_keywords(), object_keywords(), property_keywords(), array_keywords(),
            string_keywords(), number_keywords(), combining_keywords()}) {
        if (auto error = compile_family(id, *object, family, node)) return error;
      }
    }
    if (!node.last.empty()) compiled_.takes_marks = true;
    compiled_.nodes.push_back(std::move(node));
    return std::nullopt;
  }

  std::optional<SchemaError> compile_family(NodeId id, const JsonObject& schema,
                                            std::span<const KeywordEntry> family, Node& node) {
    const Draft draft = index_.resource_of(id).draft;
    const bool only_reference = draft == Draft::draft7 && schema.contains("$ref");
    for (const KeywordEntry& entry : family) {
      if (!entry.drafts.holds(draft) || !schema.contains(entry.name)) continue;
      if (only_reference && entry.name != "$ref") continue;
      KeywordSource source(index_, id, entry.name, compiled_.options.formats);
      auto keyword = entry.make(source);
      if (source.error()) return source.error();
      for (const NodeId target : source.applied_in_place()) applied_in_place_[id].push_back(target);
      if (!keyword) continue;
      (entry.turn == Turn::last ? node.last : node.keywords).push_back(std::move(keyword));
    }
    return std::nullopt;
  }

  SchemaIndex index_;
  CompiledSchema compiled_;
  std::vector<std::vector<NodeId>> applied_in_place_;
};

}  // namespace

std::variant<CompiledSchema, SchemaError> compile_schema(const JsonValue& schema,
                                                         const SchemaOptions& options) {
  return Compiler(options).compile(schema);
}

}  // namespace parley::inference::json_schema
