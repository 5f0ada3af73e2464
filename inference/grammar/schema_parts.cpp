#include "inference/grammar/schema_parts.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <string_view>

#include <boost/json/string.hpp>

#include "inference/grammar/small_set.h"

namespace parley::inference::grammar {
namespace {

using json::JsonArray;
using json::JsonObject;
using json::JsonValue;

constexpr std::size_t kMaxUnchecked = 200;
constexpr std::string_view kAfterwards = "is only checked afterwards";

using PartKey = PartsKey::value_type;

struct PartKeyHash {
  std::size_t operator()(const PartKey& key) const {
    return std::hash<const JsonValue*>{}(key.first) * 2 + (key.second ? 1 : 0);
  }
};

SchemaPart part_at(SchemaPlace place, const JsonValue& schema) {
  return {&schema, false, std::make_shared<const SchemaPlace>(std::move(place))};
}

std::string escape_pointer(std::string_view name) {
  std::string out;
  for (const char c : name) out += c == '~' ? "~0" : c == '/' ? "~1" : std::string(1, c);
  return out;
}

class Flattener {
 public:
  Flattener(const SchemaIndex& index, UncheckedList& unchecked, SchemaBudget& budget)
      : index_(index), unchecked_(unchecked), budget_(budget) {}

  FlatSchema flatten(const SchemaParts& parts) {
    work_ = {parts.rbegin(), parts.rend()};
    while (!work_.empty() && !out_.is_never && budget_.spend(1)) {
      const SchemaPart part = std::move(work_.back());
      work_.pop_back();
      add(part);
    }
    return std::move(out_);
  }

 private:
  void add(const SchemaPart& part) {
    const bool is_known = part.is_bare && seen_.contains({part.schema, false});
    if (is_known || !seen_.insert({part.schema, part.is_bare})) return;
    if (const bool* truth = part.schema->if_bool()) {
      out_.is_never = !*truth;
    } else if (const JsonObject* object = part.schema->if_object()) {
      const bool is_replaced = !part.is_bare && add_reference(part, *object);
      if (is_replaced) return;
      if (!part.is_bare) add_combinations(part, *object);
      out_.parts.push_back({part.schema, true, part.place});
    } else {
      unchecked_.add(part, "", "is no schema and has no effect");
    }
  }

  // Whether the reference stands for the whole schema.
  bool add_reference(const SchemaPart& part, const JsonObject& object) {
    const JsonValue* reference = object.if_contains("$ref");
    if (object.contains("$dynamicRef")) unchecked_.add(part, "$dynamicRef", kAfterwards);
    if (reference == nullptr || !reference->is_string()) return false;
    const JsonValue* target = index_.resolve(object, reference->get_string());
    if (target != nullptr) {
      work_.push_back(first_part(*target, reference->get_string()));
    } else {
      unchecked_.add(part, "$ref", "leads out of the schema, or nowhere; nothing is fetched");
    }
    return index_.is_legacy();
  }

  void add_combinations(const SchemaPart& part, const JsonObject& object) {
    for (const char* name : {"not", "if", "then", "else", "dependentSchemas", "dependencies"}) {
      const bool has_effect = object.contains(name) &&
                              (std::string_view(name) != "then" || object.contains("if")) &&
                              (std::string_view(name) != "else" || object.contains("if"));
      if (has_effect) unchecked_.add(part, name, kAfterwards);
    }
    if (const SchemaParts all = branches(part, object, "allOf"); !all.empty()) {
      work_.insert(work_.end(), all.rbegin(), all.rend());
    }
    if (SchemaParts any = branches(part, object, "anyOf"); !any.empty())
      out_.groups.push_back(std::move(any));
    SchemaParts one = branches(part, object, "oneOf");
    if (one.empty()) return;
    if (!are_apart(one)) {
      unchecked_.add(part, "oneOf",
                     "is taken as anyOf; that only one alternative holds is only checked afterwards");
    }
    out_.groups.push_back(std::move(one));
  }

  SchemaParts branches(const SchemaPart& part, const JsonObject& object, const char* name) {
    SchemaParts out;
    const JsonValue* value = object.if_contains(name);
    const JsonArray* array = value != nullptr ? value->if_array() : nullptr;
    for (std::size_t i = 0; array != nullptr && i < array->size() && budget_.spend(1); ++i) {
      out.push_back(element_below(part, name, i, (*array)[i]));
    }
    return out;
  }

  // No value can satisfy two of them: each has a single type, all of them different and not both numbers.
  static bool are_apart(const SchemaParts& branches) {
    std::vector<std::string_view> types;
    for (const SchemaPart& branch : branches) {
      const JsonValue* type = branch.schema->is_object() ? keyword(branch, "type") : nullptr;
      if (type == nullptr || !type->is_string()) return branches.size() == 1;
      const std::string_view name = type->get_string();
      types.push_back(name == "integer" ? "number" : name);
    }
    std::sort(types.begin(), types.end());
    return std::adjacent_find(types.begin(), types.end()) == types.end();
  }

  const SchemaIndex& index_;
  UncheckedList& unchecked_;
  SchemaBudget& budget_;
  SchemaParts work_;  // the next one is the last
  SmallSet<PartKey, PartKeyHash> seen_;
  FlatSchema out_;
};

}  // namespace

PartsKey key_of(const SchemaParts& parts) {
  PartsKey key;
  for (const SchemaPart& part : parts) key.emplace_back(part.schema, part.is_bare);
  std::sort(key.begin(), key.end());
  key.erase(std::unique(key.begin(), key.end()), key.end());
  return key;
}

void UncheckedList::add(const SchemaPart& part, std::string_view keyword, std::string_view reason) {
  if (list_.size() >= kMaxUnchecked) return;
  UncheckedKeyword entry{place_text(part), std::string(keyword), std::string(reason)};
  if (std::find(list_.begin(), list_.end(), entry) != list_.end()) return;
  list_.push_back(std::move(entry));
}

FlatSchema flatten(const SchemaParts& parts, const SchemaIndex& index, UncheckedList& unchecked,
                   SchemaBudget& budget) {
  return Flattener(index, unchecked, budget).flatten(parts);
}

SchemaPart first_part(const JsonValue& schema, std::string_view place) {
  return part_at({.above = nullptr, .keyword = place, .name = {}}, schema);
}

SchemaPart part_below(const SchemaPart& part, std::string_view keyword, const JsonValue& schema) {
  return part_at({.above = part.place, .keyword = keyword, .name = {}}, schema);
}

SchemaPart member_below(const SchemaPart& part, std::string_view keyword, std::string_view name,
                        const JsonValue& schema) {
  return part_at({.above = part.place, .keyword = keyword, .name = name}, schema);
}

SchemaPart element_below(const SchemaPart& part, std::string_view keyword, std::size_t index,
                         const JsonValue& schema) {
  return part_at({.above = part.place, .keyword = keyword, .name = {}, .index = index}, schema);
}

std::string place_text(const SchemaPart& part) {
  std::vector<const SchemaPlace*> steps;  // the innermost first
  for (const SchemaPlace* place = part.place.get(); place != nullptr; place = place->above.get()) {
    steps.push_back(place);
  }
  std::string text;
  for (auto step = steps.rbegin(); step != steps.rend(); ++step) {
    if (step != steps.rbegin()) text += '/';
    text += (*step)->keyword;
    if ((*step)->name) text += '/' + escape_pointer(*(*step)->name);
    if ((*step)->index != SchemaPlace::kNoIndex) text += '/' + std::to_string((*step)->index);
  }
  return text;
}

const JsonValue* keyword(const SchemaPart& part, std::string_view name) {
  return part.schema->get_object().if_contains(name);
}

std::optional<std::uint32_t> count_member(const SchemaPart& part, std::string_view name) {
  const JsonValue* value = keyword(part, name);
  if (value == nullptr || !value->is_number()) return std::nullopt;
  const double number = value->to_number<double>();
  if (!(number >= 0)) return std::nullopt;
  return static_cast<std::uint32_t>(std::min(std::ceil(number), 4294967294.0));
}

}  // namespace parley::inference::grammar
