// properties, patternProperties, additionalProperties, unevaluatedProperties, propertyNames: schemas for
// members.
#include <array>
#include <set>

#include "inference/json_schema/keyword_source.h"
#include "inference/json_schema/pattern.h"
#include "inference/json_schema/run.h"
#include "inference/json_schema/wording.h"

namespace parley::inference::json_schema {
namespace {

using json::JsonObject;
using json::JsonValue;

constexpr std::string_view kNoProperty = "is not a known property";

class PropertiesKeyword final : public Keyword {
 public:
  explicit PropertiesKeyword(NamedNodes schemas) : schemas_(std::move(schemas)) {}

  bool check(const JsonValue& instance, Run& run, Marks& marks) const override {
    const JsonObject* object = instance.if_object();
    bool valid = !object || run.budget().spend(object->size());
    for (std::size_t i = 0; object && i < object->size(); ++i) {
      const auto& member = *(object->begin() + i);
      const auto schema = schemas_.find(std::string_view(member.key()));
      if (schema == schemas_.end()) continue;
      if (!run.apply_to_member(schema->second, member)) valid = false;
      if (!valid && !run.listens()) return false;
      marks.mark(i);
    }
    return valid;
  }

 private:
  NamedNodes schemas_;
};

std::unique_ptr<const Keyword> make_properties(KeywordSource& source) {
  NamedNodes schemas;
  for (const auto& member : source.value().get_object()) {
    schemas.emplace(member.key(), source.node_of(member.value()));
  }
  return std::make_unique<PropertiesKeyword>(std::move(schemas));
}

struct PatternSchema {
  Pattern pattern;
  NodeId schema = 0;
};

std::optional<std::vector<PatternSchema>> pattern_schemas(KeywordSource& source, const JsonObject& members) {
  std::vector<PatternSchema> schemas;
  for (const auto& member : members) {
    auto pattern = Pattern::compile(member.key());
    if (const auto* why = std::get_if<std::string>(&pattern)) {
      source.refuse("has the pattern " + quoted(member.key()) + ", which cannot be used: " + *why + ".");
      return std::nullopt;
    }
    schemas.push_back({std::get<Pattern>(std::move(pattern)), source.node_of(member.value())});
  }
  return schemas;
}

class PatternPropertiesKeyword final : public Keyword {
 public:
  explicit PatternPropertiesKeyword(std::vector<PatternSchema> schemas) : schemas_(std::move(schemas)) {}

  bool check(const JsonValue& instance, Run& run, Marks& marks) const override {
    const JsonObject* object = instance.if_object();
    bool valid = !object || run.budget().spend(object->size());
    for (std::size_t i = 0; object && i < object->size(); ++i) {
      const auto& member = *(object->begin() + i);
      for (const PatternSchema& entry : schemas_) {
        if (!entry.pattern.is_in(member.key(), run.budget())) continue;
        if (!run.apply_to_member(entry.schema, member)) valid = false;
        if (!valid && !run.listens()) return false;
        marks.mark(i);
      }
    }
    return valid;
  }

 private:
  std::vector<PatternSchema> schemas_;
};

std::unique_ptr<const Keyword> make_pattern_properties(KeywordSource& source) {
  auto schemas = pattern_schemas(source, source.value().get_object());
  if (!schemas) return nullptr;
  return std::make_unique<PatternPropertiesKeyword>(std::move(*schemas));
}

class AdditionalPropertiesKeyword final : public Keyword {
 public:
  AdditionalPropertiesKeyword(NodeId schema, std::set<std::string, std::less<>> names,
                              std::vector<PatternSchema> patterns)
      : schema_(schema), names_(std::move(names)), patterns_(std::move(patterns)) {}

  bool check(const JsonValue& instance, Run& run, Marks& marks) const override {
    const JsonObject* object = instance.if_object();
    bool valid = !object || run.budget().spend(object->size());
    for (std::size_t i = 0; object && i < object->size(); ++i) {
      const auto& member = *(object->begin() + i);
      if (is_known(member.key(), run)) continue;
      if (!check_member(member, run)) valid = false;
      if (!valid && !run.listens()) return false;
      marks.mark(i);
    }
    return valid;
  }

 private:
  bool is_known(std::string_view key, Run& run) const {
    if (names_.contains(key)) return true;
    for (const PatternSchema& entry : patterns_) {
      if (entry.pattern.is_in(key, run.budget())) return true;
    }
    return false;
  }

  bool check_member(const JsonObject::value_type& member, Run& run) const {
    if (!run.node(schema_).allows_nothing) return run.apply_to_member(schema_, member);
    return run.fail_at(member.key(), "additionalProperties", [&] {
      if (names_.empty() || !patterns_.empty()) return std::string(kNoProperty);
      std::vector<std::string> names;
      for (const std::string& name : names_) names.push_back(cut(name));
      return std::string(kNoProperty) + "; known are " + listed(names, "and");
    });
  }

  NodeId schema_;
  std::set<std::string, std::less<>> names_;
  std::vector<PatternSchema> patterns_;
};

std::unique_ptr<const Keyword> make_additional_properties(KeywordSource& source) {
  std::set<std::string, std::less<>> names;
  if (const JsonValue* properties = source.neighbour("properties")) {
    for (const auto& member : properties->get_object()) names.emplace(member.key());
  }
  std::vector<PatternSchema> patterns;
  if (const JsonValue* neighbour = source.neighbour("patternProperties")) {
    auto schemas = pattern_schemas(source, neighbour->get_object());
    if (!schemas) return nullptr;
    patterns = std::move(*schemas);
  }
  return std::make_unique<AdditionalPropertiesKeyword>(source.node_of(source.value()), std::move(names),
                                                       std::move(patterns));
}

class UnevaluatedProperties final : public Keyword {
 public:
  explicit UnevaluatedProperties(NodeId schema) : schema_(schema) {}

  bool check(const JsonValue& instance, Run& run, Marks& marks) const override {
    const JsonObject* object = instance.if_object();
    bool valid = !object || run.budget().spend(object->size());
    for (std::size_t i = 0; object && i < object->size(); ++i) {
      if (!marks.has(i) && !check_member(*(object->begin() + i), run)) valid = false;
      if (!valid && !run.listens()) return false;
    }
    if (object) marks.mark_all();
    return valid;
  }

 private:
  bool check_member(const JsonObject::value_type& member, Run& run) const {
    if (!run.node(schema_).allows_nothing) return run.apply_to_member(schema_, member);
    return run.fail_at(member.key(), "unevaluatedProperties", [] { return std::string(kNoProperty); });
  }

  NodeId schema_;
};

std::unique_ptr<const Keyword> make_unevaluated_properties(KeywordSource& source) {
  return std::make_unique<UnevaluatedProperties>(source.node_of(source.value()));
}

class PropertyNamesKeyword final : public Keyword {
 public:
  explicit PropertyNamesKeyword(NodeId schema) : schema_(schema) {}

  bool check(const JsonValue& instance, Run& run, Marks&) const override {
    const JsonObject* object = instance.if_object();
    bool valid = !object || run.budget().spend(object->size());
    for (std::size_t i = 0; object && i < object->size(); ++i) {
      const std::string_view key = (object->begin() + i)->key();
      Marks none;
      std::vector<Violation> why;
      if (run.try_apply(schema_, JsonValue(key), none, why)) continue;
      valid = run.fail_at(key, "propertyNames", [&] {
        return "is not an allowed name" + (why.empty() ? std::string{} : ": " + why.front().sentence);
      });
      if (!run.listens()) return false;
    }
    return valid;
  }

 private:
  NodeId schema_;
};

std::unique_ptr<const Keyword> make_property_names(KeywordSource& source) {
  return std::make_unique<PropertyNamesKeyword>(source.node_of(source.value()));
}

constexpr std::array kPropertyKeywords{
    KeywordEntry{"properties", make_properties, kAllDrafts},
    KeywordEntry{"patternProperties", make_pattern_properties, kAllDrafts},
    KeywordEntry{"additionalProperties", make_additional_properties, kAllDrafts},
    KeywordEntry{"propertyNames", make_property_names, kAllDrafts},
    KeywordEntry{"unevaluatedProperties", make_unevaluated_properties, kFrom2019, Turn::last},
};

}  // namespace

std::span<const KeywordEntry> property_keywords() { return kPropertyKeywords; }

}  // namespace parley::inference::json_schema
