#pragma once
// Finds every schema inside a schema document, gives each a number, and follows references between them: by
// URI, by anchor, by JSON pointer. Knows $id, $anchor and their kin, nothing of the keywords that check
// values.
//
// Used by one thread, while a schema is compiled; the documents must outlive it. A bad document is a
// SchemaError.

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <variant>
#include <vector>

#include "inference/json/json.h"
#include "inference/json_schema/draft.h"
#include "inference/json_schema/violation.h"

namespace parley::inference::json_schema {

using NodeId = std::uint32_t;      // of a schema; numbers grow while references are followed
using ResourceId = std::uint32_t;  // of a schema with a URI of its own, and what lies in it

using NamedNodes = std::map<std::string, NodeId, std::less<>>;

struct Resource {
  std::string uri;  // without a fragment; empty for a document without $id
  NodeId root = 0;
  Draft draft = Draft::draft2020_12;
  NamedNodes anchors;
  NamedNodes dynamic_anchors;
  bool recursive_anchor = false;
};

struct IndexedSchema {
  const json::JsonValue* value = nullptr;  // an object or a boolean
  ResourceId resource = 0;
  std::optional<NodeId> parent;  // none for the root of a document
  std::string step;              // JSON pointer from the parent
};

struct ReferenceTarget {
  NodeId node = 0;
  std::string anchor;  // the plain name that was followed, empty otherwise
};

class SchemaIndex {
 public:
  // Refuses a document that names an unknown draft, or holds something that is no schema where one must be.
  std::optional<SchemaError> add_document(const json::JsonValue& root);

  std::size_t size() const { return schemas_.size(); }
  const IndexedSchema& schema(NodeId id) const { return schemas_[id]; }
  const Resource& resource_of(NodeId id) const { return resources_[schemas_[id].resource]; }
  const std::deque<Resource>& resources() const { return resources_; }
  NodeId node_of(const json::JsonValue& indexed) const { return nodes_.at(&indexed); }
  std::string place_of(NodeId id) const;

  // What `reference` means inside schema `from`. Loads metaschemas, nothing else.
  std::variant<ReferenceTarget, SchemaError> follow(NodeId from, std::string_view reference);

 private:
  using Error = std::optional<SchemaError>;

  Error scan(const json::JsonValue& root, std::optional<NodeId> parent, std::string step);
  Error add(const json::JsonValue& value, std::optional<NodeId> parent, std::string step);
  Error identify(NodeId id);
  Error open_resource(NodeId id, std::string_view uri);
  Error add_anchors(NodeId id);
  Error add_anchor(NodeId id, std::string_view keyword, NamedNodes& anchors);
  Error expand(NodeId id);
  Error expand_keyword(NodeId id, const SubschemaKeyword& keyword, const json::JsonValue& value);
  Error expand_map(NodeId id, const SubschemaKeyword& keyword, const json::JsonValue& value);
  Error expand_list(NodeId id, const SubschemaKeyword& keyword, const json::JsonValue& value);
  std::variant<ResourceId, SchemaError> find_resource(NodeId from, std::string_view reference);
  std::variant<ReferenceTarget, SchemaError> follow_pointer(NodeId from, NodeId root,
                                                            std::string_view pointer);
  SchemaError error_at(NodeId id, std::string message) const;

  std::deque<IndexedSchema> schemas_;
  std::deque<Resource> resources_;
  std::deque<json::JsonValue> metaschemas_;
  std::unordered_map<const json::JsonValue*, NodeId> nodes_;
  std::map<std::string, ResourceId, std::less<>> by_uri_;
};

}  // namespace parley::inference::json_schema
