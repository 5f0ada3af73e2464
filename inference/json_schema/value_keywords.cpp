// type, enum, const: what a value is.
#include <algorithm>
#include <array>

#include "inference/json_schema/equality.h"
#include "inference/json_schema/exact_number.h"
#include "inference/json_schema/keyword_source.h"
#include "inference/json_schema/run.h"
#include "inference/json_schema/wording.h"

namespace parley::inference::json_schema {
namespace {

using json::JsonArray;
using json::JsonValue;

struct TypeName {
  std::string_view name;
  std::string_view words;
  bool (*holds)(const JsonValue&);
};

constexpr std::array kTypes{
    TypeName{"null", "null", [](const JsonValue& value) { return value.is_null(); }},
    TypeName{"boolean", "true or false", [](const JsonValue& value) { return value.is_bool(); }},
    TypeName{"integer", "an integer", is_integer},
    TypeName{"number", "a number", [](const JsonValue& value) { return value.is_number(); }},
    TypeName{"string", "a string", [](const JsonValue& value) { return value.is_string(); }},
    TypeName{"array", "an array", [](const JsonValue& value) { return value.is_array(); }},
    TypeName{"object", "an object", [](const JsonValue& value) { return value.is_object(); }},
};

class TypeKeyword final : public Keyword {
 public:
  explicit TypeKeyword(std::vector<const TypeName*> types) : types_(std::move(types)) {}

  bool check(const JsonValue& instance, Run& run, Marks&) const override {
    const auto holds = [&](const TypeName* type) { return type->holds(instance); };
    if (std::any_of(types_.begin(), types_.end(), holds)) return true;
    return run.fail("type", [&] {
      std::vector<std::string> words;
      for (const TypeName* type : types_) words.emplace_back(type->words);
      return shown(instance) + " is not " + listed(words, "or");
    });
  }

 private:
  std::vector<const TypeName*> types_;
};

const TypeName* find_type(const JsonValue& name) {
  const auto* found = std::find_if(kTypes.begin(), kTypes.end(), [&](const TypeName& type) {
    return name.is_string() && std::string_view(name.get_string()) == type.name;
  });
  return found == kTypes.end() ? nullptr : found;
}

std::unique_ptr<const Keyword> make_type(KeywordSource& source) {
  std::vector<const TypeName*> types;
  const JsonArray* list = source.value().if_array();
  const JsonArray one{source.value()};
  for (const JsonValue& name : list ? *list : one) {
    const TypeName* type = find_type(name);
    if (!type) {
      return source.refuse("is " + shown(name) +
                           "; the types are string, number, integer, boolean, array, object and null.");
    }
    if (std::find(types.begin(), types.end(), type) != types.end()) {
      return source.refuse("names " + shown(name) + " twice.");
    }
    types.push_back(type);
  }
  if (types.empty()) return source.refuse("must name at least one type.");
  return std::make_unique<TypeKeyword>(std::move(types));
}

class EnumKeyword final : public Keyword {
 public:
  explicit EnumKeyword(JsonArray values) : values_(std::move(values)) {}

  bool check(const JsonValue& instance, Run& run, Marks&) const override {
    const auto equals = [&](const JsonValue& value) { return are_equal(value, instance, run.budget()); };
    if (std::any_of(values_.begin(), values_.end(), equals)) return true;
    return run.fail("enum", [&] {
      std::vector<std::string> words;
      for (const JsonValue& value : values_) words.push_back(shown(value));
      const std::string allowed = words.empty() ? "one of no values" : listed(words, "or");
      return "must be " + allowed + ", not " + shown(instance);
    });
  }

 private:
  JsonArray values_;
};

std::unique_ptr<const Keyword> make_enum(KeywordSource& source) {
  if (!source.value().is_array()) return source.refuse("must be a list of values.");
  return std::make_unique<EnumKeyword>(source.value().get_array());
}

class ConstKeyword final : public Keyword {
 public:
  explicit ConstKeyword(const JsonValue& value) : value_(value) {}

  bool check(const JsonValue& instance, Run& run, Marks&) const override {
    if (are_equal(value_, instance, run.budget())) return true;
    if (value_.is_structured())
      return run.fail("const", [] { return "is not the one value that is allowed"; });
    return run.fail("const", [&] { return "must be " + shown(value_) + ", not " + shown(instance); });
  }

 private:
  JsonValue value_;
};

std::unique_ptr<const Keyword> make_const(KeywordSource& source) {
  return std::make_unique<ConstKeyword>(source.value());
}

constexpr std::array kValueKeywords{
    KeywordEntry{"type", make_type, kAllDrafts},
    KeywordEntry{"enum", make_enum, kAllDrafts},
    KeywordEntry{"const", make_const, kAllDrafts},
};

}  // namespace

std::span<const KeywordEntry> value_keywords() { return kValueKeywords; }

}  // namespace parley::inference::json_schema
