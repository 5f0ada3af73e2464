// required, minProperties, maxProperties, dependentRequired, dependentSchemas, dependencies: which members
// there are.
#include <array>

#include "inference/json_schema/keyword_source.h"
#include "inference/json_schema/run.h"
#include "inference/json_schema/wording.h"

namespace parley::inference::json_schema {
namespace {

using json::JsonObject;
using json::JsonValue;

class RequiredKeyword final : public Keyword {
 public:
  explicit RequiredKeyword(std::vector<std::string> names) : names_(std::move(names)) {}

  bool check(const JsonValue& instance, Run& run, Marks&) const override {
    const JsonObject* object = instance.if_object();
    bool valid = true;
    for (std::size_t i = 0; object && i < names_.size(); ++i) {
      if (!run.budget().spend(1)) return false;
      if (object->contains(names_[i])) continue;
      valid = run.fail_at(names_[i], "required", [] { return "is required"; });
      if (!run.listens()) return false;
    }
    return valid;
  }

 private:
  std::vector<std::string> names_;
};

std::unique_ptr<const Keyword> make_required(KeywordSource& source) {
  auto names = source.names(source.value());
  if (!names) return nullptr;
  return std::make_unique<RequiredKeyword>(std::move(*names));
}

class PropertyCount final : public Keyword {
 public:
  enum class Bound : std::uint8_t { min, max };

  PropertyCount(Bound bound, std::size_t limit) : bound_(bound), limit_(limit) {}

  bool check(const JsonValue& instance, Run& run, Marks&) const override {
    const std::size_t size = instance.is_object() ? instance.get_object().size() : limit_;
    const bool min = bound_ == Bound::min;
    if (min ? size >= limit_ : size <= limit_) return true;
    return run.fail(min ? "minProperties" : "maxProperties", [&] {
      return "must have at " + std::string(min ? "least " : "most ") + std::to_string(limit_) +
             (limit_ == 1 ? " property" : " properties") + ", has " + std::to_string(size);
    });
  }

 private:
  Bound bound_;
  std::size_t limit_;
};

template <PropertyCount::Bound bound>
std::unique_ptr<const Keyword> make_property_count(KeywordSource& source) {
  const auto limit = source.count();
  if (!limit) return nullptr;
  return std::make_unique<PropertyCount>(bound, *limit);
}

struct NameDependency {
  std::string name;
  std::vector<std::string> needs;
};

class DependentRequired final : public Keyword {
 public:
  DependentRequired(std::string_view keyword, std::vector<NameDependency> dependencies)
      : keyword_(keyword), dependencies_(std::move(dependencies)) {}

  bool check(const JsonValue& instance, Run& run, Marks&) const override {
    const JsonObject* object = instance.if_object();
    bool valid = true;
    for (std::size_t i = 0; object && i < dependencies_.size(); ++i) {
      if (!run.budget().spend(1)) return false;
      if (object->contains(dependencies_[i].name)) valid = has_all(*object, dependencies_[i], run) && valid;
      if (!valid && !run.listens()) return false;
    }
    return valid;
  }

 private:
  bool has_all(const JsonObject& object, const NameDependency& dependency, Run& run) const {
    bool valid = true;
    for (const std::string& name : dependency.needs) {
      if (!run.budget().spend(1)) return false;
      if (object.contains(name)) continue;
      valid =
          run.fail_at(name, keyword_, [&] { return "is required beside `" + cut(dependency.name) + "`"; });
    }
    return valid;
  }

  std::string_view keyword_;  // a literal
  std::vector<NameDependency> dependencies_;
};

std::unique_ptr<const Keyword> make_dependent_required(KeywordSource& source) {
  if (!source.value().is_object()) return source.refuse("must be an object of lists of names.");
  std::vector<NameDependency> dependencies;
  for (const auto& member : source.value().get_object()) {
    auto needs = source.names(member.value());
    if (!needs) return nullptr;
    dependencies.push_back({.name = member.key(), .needs = std::move(*needs)});
  }
  return std::make_unique<DependentRequired>("dependentRequired", std::move(dependencies));
}

class DependentSchemas final : public Keyword {
 public:
  explicit DependentSchemas(NamedNodes schemas) : schemas_(std::move(schemas)) {}

  bool check(const JsonValue& instance, Run& run, Marks& marks) const override {
    const JsonObject* object = instance.if_object();
    bool valid = true;
    for (const auto& [name, schema] : schemas_) {
      if (!run.budget().spend(1)) return false;
      if (!object || !object->contains(name)) continue;
      if (!run.apply(schema, instance, marks)) valid = false;
      if (!valid && !run.listens()) return false;
    }
    return valid;
  }

 private:
  NamedNodes schemas_;
};

std::unique_ptr<const Keyword> make_dependent_schemas(KeywordSource& source) {
  NamedNodes schemas;
  for (const auto& member : source.value().get_object()) {
    schemas.emplace(member.key(), source.in_place(member.value()));
  }
  return std::make_unique<DependentSchemas>(std::move(schemas));
}

// Both kinds in one, as the drafts before 2019-09 had it.
class Dependencies final : public Keyword {
 public:
  Dependencies(std::vector<NameDependency> names, NamedNodes schemas)
      : names_("dependencies", std::move(names)), schemas_(std::move(schemas)) {}

  bool check(const JsonValue& instance, Run& run, Marks& marks) const override {
    const bool has_names = names_.check(instance, run, marks);
    if (!has_names && !run.listens()) return false;
    return schemas_.check(instance, run, marks) && has_names;
  }

 private:
  DependentRequired names_;
  DependentSchemas schemas_;
};

std::unique_ptr<const Keyword> make_dependencies(KeywordSource& source) {
  std::vector<NameDependency> names;
  NamedNodes schemas;
  for (const auto& member : source.value().get_object()) {
    if (!member.value().is_array()) {
      schemas.emplace(member.key(), source.in_place(member.value()));
      continue;
    }
    auto needs = source.names(member.value());
    if (!needs) return nullptr;
    names.push_back({.name = member.key(), .needs = std::move(*needs)});
  }
  return std::make_unique<Dependencies>(std::move(names), std::move(schemas));
}

constexpr std::array kObjectKeywords{
    KeywordEntry{"required", make_required, kAllDrafts},
    KeywordEntry{"minProperties", make_property_count<PropertyCount::Bound::min>, kAllDrafts},
    KeywordEntry{"maxProperties", make_property_count<PropertyCount::Bound::max>, kAllDrafts},
    KeywordEntry{"dependentRequired", make_dependent_required, kFrom2019},
    KeywordEntry{"dependentSchemas", make_dependent_schemas, kFrom2019},
    KeywordEntry{"dependencies", make_dependencies, kAllDrafts},
};

}  // namespace

std::span<const KeywordEntry> object_keywords() { return kObjectKeywords; }

}  // namespace parley::inference::json_schema
