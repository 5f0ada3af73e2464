#include <algorithm>
#include <unordered_set>
#include <utility>

#include <boost/json/string.hpp>

#include "inference/grammar/json_nodes.h"
#include "inference/grammar/schema_compiler.h"

namespace parley::inference::grammar {
namespace {

using json::JsonArray;
using json::JsonObject;
using json::JsonValue;

const JsonArray* array_member(const SchemaPart& part, std::string_view name) {
  const JsonValue* value = keyword(part, name);
  return value != nullptr ? value->if_array() : nullptr;
}

const JsonObject* object_member(const SchemaPart& part, std::string_view name) {
  const JsonValue* value = keyword(part, name);
  return value != nullptr ? value->if_object() : nullptr;
}

// The keywords for the first elements and for those behind them: draft 2020-12 or earlier.
struct ItemKeywords {
  const char* first = "prefixItems";
  const char* further = "items";
};

ItemKeywords item_keywords(const SchemaPart& part) {
  if (array_member(part, "items") != nullptr) return {.first = "items", .further = "additionalItems"};
  return {};
}

std::size_t num_first_items(const SchemaPart& part) {
  const JsonArray* first = array_member(part, item_keywords(part).first);
  return first != nullptr ? first->size() : 0;
}

SchemaParts parts_of_element(const SchemaParts& parts, std::size_t index) {
  SchemaParts out;
  for (const SchemaPart& part : parts) {
    const ItemKeywords names = item_keywords(part);
    if (index < num_first_items(part)) {
      out.push_back(element_below(part, names.first, index, (*array_member(part, names.first))[index]));
    } else if (const JsonValue* further = keyword(part, names.further)) {
      out.push_back(part_below(part, names.further, *further));
    }
  }
  return out;
}

bool has_pattern_properties(const SchemaPart& part) {
  const JsonObject* patterns = object_member(part, "patternProperties");
  return patterns != nullptr && !patterns->empty();
}

// Of what an object becomes when the grammar is finished, an estimate.
std::size_t memory_of_object(const Grammar::Object& object, std::uint32_t max_white_space) {
  // Keys of another form come in up to two spellings, with white space behind each.
  const std::size_t behind_key = object.key_maker ? std::size_t{max_white_space} * 2 * 200 : 0;
  std::size_t memory = sizeof(Grammar::Object);
  for (const Grammar::Key& key : object.keys) {
    const std::size_t trie = key.quoted.size() * (kTrieStateBytes + 8) * (object.key_maker ? 2 : 1);
    memory += sizeof(Grammar::Key) + key.quoted.size() + trie + behind_key;
  }
  for (const Grammar::OtherKeys& others : object.others) memory += others.keys ? others.keys->memory() : 0;
  return memory;
}

}  // namespace

NodeId SchemaCompiler::compile_array(const SchemaParts& parts) {
  Grammar::Array array;
  std::size_t num_first = 0;
  for (const SchemaPart& part : parts) {
    num_first = std::max(num_first, num_first_items(part));
    array.min = std::max(array.min, count_member(part, "minItems").value_or(0));
    array.max = std::min(array.max, count_member(part, "maxItems").value_or(kNoLimit));
  }
  for (std::size_t i = 0; i < num_first && !is_over_budget(); ++i) {
    budget_.take(sizeof(NodeId));
    array.prefix.push_back(compile(parts_of_element(parts, i), Level::inner));
  }
  array.items = compile(parts_of_element(parts, num_first), Level::inner);
  return builder_.add_array(std::move(array));
}

SchemaParts SchemaCompiler::parts_of_member(const SchemaParts& parts, std::string_view name) {
  SchemaParts out;
  for (const SchemaPart& part : parts) {
    const JsonObject* properties = object_member(part, "properties");
    const JsonValue* own = properties != nullptr ? properties->if_contains(name) : nullptr;
    const JsonValue* other = keyword(part, "additionalProperties");
    if (own != nullptr) {
      out.push_back(member_below(part, "properties", name, *own));
    } else if (other != nullptr && !has_pattern_properties(part)) {
      out.push_back(part_below(part, "additionalProperties", *other));
    }
  }
  return out;
}

SchemaParts SchemaCompiler::parts_of_others(const SchemaParts& parts) {
  SchemaParts out;
  for (const SchemaPart& part : parts) {
    const JsonValue* other = keyword(part, "additionalProperties");
    if (other != nullptr && !has_pattern_properties(part)) {
      out.push_back(part_below(part, "additionalProperties", *other));
    }
  }
  return out;
}

NodeId SchemaCompiler::compile_object(const SchemaParts& parts, Level level) {
  Grammar::Object object;
  for (const SchemaPart& part : parts) {
    object.min = std::max(object.min, count_member(part, "minProperties").value_or(0));
    object.max = std::min(object.max, count_member(part, "maxProperties").value_or(kNoLimit));
  }
  const SchemaParts others = parts_of_others(parts);
  const bool says_nothing = std::none_of(parts.begin(), parts.end(), [](const SchemaPart& part) {
    return keyword(part, "additionalProperties") != nullptr || has_pattern_properties(part);
  });
  const bool forbids_others =
      says_nothing && level == Level::top && options_.other_members == OtherMembers::forbidden_at_top;
  if (Notation* form = notation(level)) form->shape(object, level);
  add_declared_keys(parts, level, object);
  add_required_keys(parts, others, level, object);
  if (!forbids_others) add_other_keys(others, level, object);
  const bool loses_limits =
      object.keys.size() > kMaxUnorderedKeys && (object.min > 0 || object.max != kNoLimit);
  if (loses_limits) {
    unchecked_.add(parts.front(), "minProperties", "of more than 64 members is only checked afterwards");
    object.min = 0;
    object.max = kNoLimit;
  }
  budget_.take(memory_of_object(object, builder_.max_white_space()));
  return builder_.add_object(std::move(object));
}

std::string SchemaCompiler::key_text(std::string_view name, Level level) const {
  const Notation* form = notation(level);
  return form != nullptr && form->forms_keys(level) ? std::string(name) : SchemaScalars::quoted(name);
}

void SchemaCompiler::add_other_keys(const SchemaParts& others, Level level, Grammar::Object& object) {
  const NodeId value = compile(others, below(level));
  Notation* form = notation(level);
  if (form == nullptr || !form->forms_keys(level)) {
    object.others.push_back({.keys = nullptr, .value = value});
    return;
  }
  std::vector<std::string> declared;
  for (const Grammar::Key& key : object.keys) declared.push_back(key.quoted);
  for (auto& keys : form->other_keys(declared, level)) object.others.push_back({std::move(keys), value});
}

// Of the object that `object` speaks of.
NodeId SchemaCompiler::compile_member(const SchemaParts& parts, const SchemaParts& object,
                                      std::string_view name, Level level) {
  const Notation* form = notation(level);
  if (form == nullptr || form->can_write_key(name, level)) return compile(parts, below(level));
  unchecked_.add(member_below(object.front(), "properties", name, *object.front().schema), kUnwritableName,
                 "is a name that the model's form of calls cannot write");
  return GrammarBuilder::kNever;
}

void SchemaCompiler::add_declared_keys(const SchemaParts& parts, Level level, Grammar::Object& object) {
  std::unordered_set<std::string> declared;  // by several parts perhaps
  for (const SchemaPart& part : parts) {
    const JsonObject* properties = object_member(part, "properties");
    if (properties == nullptr) continue;
    for (const auto& member : *properties) {
      budget_.spend(parts.size());
      if (is_over_budget()) return;
      std::string quoted = key_text(member.key(), level);
      if (parts.size() > 1 && !declared.insert(quoted).second) continue;
      const NodeId value = compile_member(parts_of_member(parts, member.key()), parts, member.key(), level);
      object.keys.push_back({.quoted = std::move(quoted), .value = value});
    }
  }
}

void SchemaCompiler::add_required_keys(const SchemaParts& parts, const SchemaParts& others, Level level,
                                       Grammar::Object& object) {
  std::map<std::string, std::size_t> places;
  for (std::size_t i = 0; i < object.keys.size(); ++i) places.emplace(object.keys[i].quoted, i);
  for (const SchemaPart& part : parts) {
    const JsonArray* required = array_member(part, "required");
    for (std::size_t i = 0; required != nullptr && i < required->size(); ++i) {
      if (!(*required)[i].is_string() || is_over_budget()) continue;
      const std::string_view name = (*required)[i].get_string();
      std::string quoted = key_text(name, level);
      const auto [place, is_new] = places.try_emplace(quoted, object.keys.size());
      if (is_new)
        object.keys.push_back(
            {.quoted = std::move(quoted), .value = compile_member(others, parts, name, level)});
      object.keys[place->second].is_required = true;
    }
  }
}

}  // namespace parley::inference::grammar
