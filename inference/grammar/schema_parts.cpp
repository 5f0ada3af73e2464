#include "inference/grammar/schema_parts.h"

#include <algorithm>
#include <cmath>
#include <string_view>

#include <boost/json/string.hpp>

namespace parley::inference::grammar {
namespace {

using json::JsonArray;
using json::JsonObject;
using json::JsonValue;

constexpr std::size_t kMaxUnchecked = 200;
constexpr std::string_view kAfterwards = "is only checked afterwards";

std::string escape_pointer(std::string_view name) {
  std::string out;
  for (const char c : name) out += c == '~' ? "~0" : c == '/' ? "~1" : std::string(1, c);
  return out;
}

class Flattener {
 public:
  Flattener(const SchemaIndex& index, UncheckedList& unchecked) : index_(index), unchecked_(unchecked) {}

  FlatSchema flatten(const SchemaParts& parts) {
    work_ = {parts.rbegin(), parts.rend()};
    while (!work_.empty() && !out_.is_never) {
      const SchemaPart part = std::move(work_.back());
      work_.pop_back();
      add(part);
    }
    return std::move(out_);
  }

 private:
  void add(const SchemaPart& part) {
    const bool is_known = std::any_of(seen_.begin(), seen_.end(), [&](const auto& seen) {
      return seen.first == part.schema && (seen.second == part.is_bare || part.is_bare);
    });
    if (is_known) return;
    seen_.emplace_back(part.schema, part.is_bare);
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
      work_.push_back({target, false, std::string(reference->get_string())});
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

  static SchemaParts branches(const SchemaPart& part, const JsonObject& object, std::string_view name) {
    SchemaParts out;
    const JsonValue* value = object.if_contains(name);
    const JsonArray* array = value != nullptr ? value->if_array() : nullptr;
    for (std::size_t i = 0; array != nullptr && i < array->size(); ++i) {
      out.push_back(part_below(part, std::string(name) + "/" + std::to_string(i), (*array)[i]));
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
  SchemaParts work_;  // the next one is the last
  PartsKey seen_;
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
  UncheckedKeyword entry{part.place, std::string(keyword), std::string(reason)};
  if (list_.size() >= kMaxUnchecked || std::find(list_.begin(), list_.end(), entry) != list_.end()) return;
  list_.push_back(std::move(entry));
}

FlatSchema flatten(const SchemaParts& parts, const SchemaIndex& index, UncheckedList& unchecked) {
  return Flattener(index, unchecked).flatten(parts);
}

SchemaPart part_below(const SchemaPart& part, std::string_view pointer, const JsonValue& schema) {
  std::string place = part.place;
  const std::size_t slash = pointer.find('/');
  place += '/' + std::string(pointer.substr(0, slash));
  if (slash != std::string_view::npos) place += '/' + escape_pointer(pointer.substr(slash + 1));
  return {&schema, false, std::move(place)};
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
