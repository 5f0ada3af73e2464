#include "inference/json_schema/schema_index.h"

#include <algorithm>
#include <utility>

#include "inference/json_schema/json_pointer.h"
#include "inference/json_schema/metaschemas.h"
#include "inference/json_schema/uri.h"
#include "inference/json_schema/wording.h"

namespace parley::inference::json_schema {
namespace {

using json::JsonArray;
using json::JsonObject;
using json::JsonValue;

constexpr json::JsonLimits kMetaschemaLimits{.max_bytes = 65536, .max_depth = 64};

// Before 2019-09 nothing beside `$ref` counts, not even `$id`.
bool is_bare_reference(const JsonObject& schema, Draft draft) {
  return draft == Draft::draft7 && schema.contains("$ref");
}

bool is_plain_name(std::string_view text) {
  constexpr std::string_view kFirst = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_";
  constexpr std::string_view kOther = "0123456789-.:";
  return !text.empty() && kFirst.find(text.front()) != std::string_view::npos &&
         std::all_of(text.begin(), text.end(), [&](char c) {
           return kFirst.find(c) != std::string_view::npos || kOther.find(c) != std::string_view::npos;
         });
}

std::string step_to(std::string_view keyword, std::string_view name) {
  std::string step;
  append_pointer_step(step, keyword);
  append_pointer_step(step, name);
  return step;
}

}  // namespace

SchemaError SchemaIndex::error_at(NodeId id, std::string message) const {
  return SchemaError{.place = place_of(id), .message = std::move(message)};
}

std::string SchemaIndex::place_of(NodeId id) const {
  std::vector<NodeId> chain{id};
  while (schemas_[chain.back()].parent) chain.push_back(*schemas_[chain.back()].parent);
  std::string place;
  for (auto node = chain.rbegin(); node != chain.rend(); ++node) place += schemas_[*node].step;
  return place;
}

std::optional<SchemaError> SchemaIndex::add_document(const JsonValue& root) {
  return scan(root, std::nullopt, {});
}

// Breadth first: what is added behind the end is expanded in its turn, so depth costs no stack.
SchemaIndex::Error SchemaIndex::scan(const JsonValue& root, std::optional<NodeId> parent, std::string step) {
  std::size_t next = schemas_.size();
  if (auto error = add(root, parent, std::move(step))) return error;
  for (; next < schemas_.size(); ++next) {
    if (auto error = expand(static_cast<NodeId>(next))) return error;
  }
  return std::nullopt;
}

// What is known already (a pointer made a schema of something inside) stays what it is.
SchemaIndex::Error SchemaIndex::add(const JsonValue& value, std::optional<NodeId> parent, std::string step) {
  if (nodes_.contains(&value)) return std::nullopt;
  const auto id = static_cast<NodeId>(schemas_.size());
  IndexedSchema schema{.value = &value, .resource = 0, .parent = parent, .step = std::move(step)};
  if (parent) schema.resource = schemas_[*parent].resource;
  schemas_.push_back(std::move(schema));
  if (!value.is_object() && !value.is_bool()) {
    return error_at(id, "A schema must be an object, true or false, not " + shown(value) + ".");
  }
  nodes_.emplace(&value, id);
  return identify(id);
}

SchemaIndex::Error SchemaIndex::identify(NodeId id) {
  const bool is_document = !schemas_[id].parent;
  const JsonObject* schema = schemas_[id].value->if_object();
  const Draft draft = is_document ? Draft::draft2020_12 : resource_of(id).draft;
  const bool bare = schema && !is_document && is_bare_reference(*schema, draft);
  const JsonValue* uri = schema && !bare ? schema->if_contains("$id") : nullptr;
  if (uri && !uri->is_string()) return error_at(id, "`$id` must be a string.");
  const std::string_view text = uri ? std::string_view(uri->get_string()) : std::string_view{};
  if (is_document || (uri && !text.starts_with('#'))) {
    if (auto error = open_resource(id, text)) return error;
  }
  if (!schema || bare) return std::nullopt;
  return add_anchors(id);
}

SchemaIndex::Error SchemaIndex::open_resource(NodeId id, std::string_view uri) {
  const bool is_document = !schemas_[id].parent;
  Resource resource;
  resource.root = id;
  if (!is_document) resource.draft = resource_of(id).draft;
  const JsonObject* schema = schemas_[id].value->if_object();
  if (const JsonValue* draft_uri = schema ? schema->if_contains("$schema") : nullptr) {
    const auto draft = draft_uri->is_string() ? draft_of(draft_uri->get_string()) : std::nullopt;
    if (!draft) {
      return error_at(id, "`$schema` is " + shown(*draft_uri) +
                              ", which is not known here; known are "
                              "\"http://json-schema.org/draft-07/schema#\" and "
                              "\"https://json-schema.org/draft/2020-12/schema\".");
    }
    resource.draft = *draft;
  }
  const bool bare = schema && is_bare_reference(*schema, resource.draft);
  resource.uri = resolve_uri(is_document ? std::string_view{} : resource_of(id).uri, bare ? "" : uri);
  const auto resource_id = static_cast<ResourceId>(resources_.size());
  if (!by_uri_.emplace(resource.uri, resource_id).second) {
    return error_at(id, "Two schemas have the same `$id`, " + quoted(resource.uri) + ".");
  }
  schemas_[id].resource = resource_id;
  resources_.push_back(std::move(resource));
  return std::nullopt;
}

SchemaIndex::Error SchemaIndex::add_anchors(NodeId id) {
  const JsonObject& schema = schemas_[id].value->get_object();
  Resource& resource = resources_[schemas_[id].resource];
  const JsonValue* uri = schema.if_contains("$id");
  if (const auto fragment = uri ? split_uri(uri->get_string()).fragment : std::nullopt;
      fragment && !fragment->empty()) {
    if (resource.draft != Draft::draft7) {
      return error_at(id, "`$id` must not have a fragment; name the schema with `$anchor`.");
    }
    resource.anchors.emplace(*fragment, id);
  }
  if (resource.draft == Draft::draft7) return std::nullopt;
  if (auto error = add_anchor(id, "$anchor", resource.anchors)) return error;
  if (resource.draft == Draft::draft2019_09) {
    const JsonValue* recursive = schema.if_contains("$recursiveAnchor");
    if (recursive && resource.root == id) resource.recursive_anchor = *recursive == JsonValue(true);
    return std::nullopt;
  }
  if (auto error = add_anchor(id, "$dynamicAnchor", resource.anchors)) return error;
  return add_anchor(id, "$dynamicAnchor", resource.dynamic_anchors);
}

SchemaIndex::Error SchemaIndex::add_anchor(NodeId id, std::string_view keyword, NamedNodes& anchors) {
  const JsonValue* value = schemas_[id].value->get_object().if_contains(keyword);
  if (!value) return std::nullopt;
  const std::string name = "`" + std::string(keyword) + "`";
  if (!value->is_string() || !is_plain_name(value->get_string())) {
    return error_at(id, name + " must be a plain name, such as \"address\".");
  }
  const auto [place, added] = anchors.emplace(std::string_view(value->get_string()), id);
  if (added || place->second == id) return std::nullopt;
  return error_at(id, name + " " + shown(*value) + " is given twice.");
}

SchemaIndex::Error SchemaIndex::expand(NodeId id) {
  const JsonObject* schema = schemas_[id].value->if_object();
  if (!schema) return std::nullopt;
  const Draft draft = resource_of(id).draft;
  for (const SubschemaKeyword& keyword : subschema_keywords()) {
    if (!keyword.drafts.holds(draft)) continue;
    if (is_bare_reference(*schema, draft) && keyword.name != "definitions") continue;
    const JsonValue* value = schema->if_contains(keyword.name);
    if (!value) continue;
    if (auto error = expand_keyword(id, keyword, *value)) return error;
  }
  return std::nullopt;
}

SchemaIndex::Error SchemaIndex::expand_keyword(NodeId id, const SubschemaKeyword& keyword,
                                               const JsonValue& value) {
  switch (keyword.holds) {
    case Holds::schema_map:
    case Holds::schema_or_name_list_map:
      return expand_map(id, keyword, value);
    case Holds::schema_list:
      return expand_list(id, keyword, value);
    case Holds::schema_or_list:
      if (value.is_array()) return expand_list(id, keyword, value);
      break;
    case Holds::schema:
      if (value.is_array() && keyword.name == "items") {
        return error_at(id, "`items` must be one schema; a list of schemas is `prefixItems` in this draft.");
      }
      break;
  }
  std::string step;
  append_pointer_step(step, keyword.name);
  return add(value, id, std::move(step));
}

SchemaIndex::Error SchemaIndex::expand_map(NodeId id, const SubschemaKeyword& keyword,
                                           const JsonValue& value) {
  if (!value.is_object()) {
    return error_at(id, "`" + std::string(keyword.name) + "` must be an object of schemas.");
  }
  for (const auto& member : value.get_object()) {
    if (keyword.holds == Holds::schema_or_name_list_map && member.value().is_array()) continue;
    if (auto error = add(member.value(), id, step_to(keyword.name, member.key()))) return error;
  }
  return std::nullopt;
}

SchemaIndex::Error SchemaIndex::expand_list(NodeId id, const SubschemaKeyword& keyword,
                                            const JsonValue& value) {
  if (!value.is_array() || value.get_array().empty()) {
    return error_at(id, "`" + std::string(keyword.name) + "` must be a list of at least one schema.");
  }
  const JsonArray& list = value.get_array();
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (auto error = add(list[i], id, step_to(keyword.name, std::to_string(i)))) return error;
  }
  return std::nullopt;
}

std::variant<ReferenceTarget, SchemaError> SchemaIndex::follow(NodeId from, std::string_view reference) {
  auto found = find_resource(from, reference);
  if (auto* error = std::get_if<SchemaError>(&found)) return std::move(*error);
  const Resource& resource = resources_[std::get<ResourceId>(found)];
  const std::string fragment = decode_percent(split_uri(reference).fragment.value_or(""));
  if (fragment.empty()) return ReferenceTarget{.node = resource.root, .anchor = {}};
  if (fragment.front() == '/') return follow_pointer(from, resource.root, fragment);
  const auto anchor = resource.anchors.find(fragment);
  if (anchor == resource.anchors.end()) {
    return error_at(from, "The reference " + quoted(reference) + " leads nowhere: no such anchor.");
  }
  return ReferenceTarget{.node = anchor->second, .anchor = fragment};
}

std::variant<ResourceId, SchemaError> SchemaIndex::find_resource(NodeId from, std::string_view reference) {
  const std::string uri = resolve_uri(resource_of(from).uri, reference);
  if (const auto known = by_uri_.find(uri); known != by_uri_.end()) return known->second;
  const auto metaschema = find_metaschema(uri);
  if (!metaschema) {
    return error_at(from, "The reference " + quoted(reference) +
                              " leads out of this schema. Nothing is ever fetched: put the schema that it "
                              "means into `$defs` and refer to it there.");
  }
  auto parsed = json::parse_json(metaschema->text, kMetaschemaLimits);
  metaschemas_.push_back(std::move(std::get<JsonValue>(parsed)));
  if (auto error = add_document(metaschemas_.back())) return std::move(*error);
  return by_uri_.at(uri);
}

std::variant<ReferenceTarget, SchemaError> SchemaIndex::follow_pointer(NodeId from, NodeId root,
                                                                       std::string_view pointer) {
  const auto steps = pointer_steps(pointer);
  const JsonValue* value = steps ? schemas_[root].value : nullptr;
  NodeId nearest = root;
  std::string rest;  // from the nearest schema on the way
  for (std::size_t i = 0; value && i < steps->size(); ++i) {
    value = step_into(*value, (*steps)[i]);
    append_pointer_step(rest, (*steps)[i]);
    if (const auto known = nodes_.find(value); known != nodes_.end()) {
      nearest = known->second;
      rest.clear();
    }
  }
  if (!value) {
    return error_at(from, "The reference " + quoted(pointer) + " leads nowhere: there is nothing there.");
  }
  if (rest.empty()) return ReferenceTarget{.node = nearest, .anchor = {}};
  // A place that is no keyword's, such as "#/components/schemas/a": it holds a schema because somebody says
  // so.
  const auto added = static_cast<NodeId>(schemas_.size());
  if (auto error = scan(*value, nearest, std::move(rest))) return std::move(*error);
  return ReferenceTarget{.node = added, .anchor = {}};
}

}  // namespace parley::inference::json_schema
