// $ref, $dynamicRef, $recursiveRef.
#include <array>

#include "inference/json_schema/keyword_source.h"
#include "inference/json_schema/run.h"

namespace parley::inference::json_schema {
namespace {

using json::JsonValue;

class Reference final : public Keyword {
 public:
  explicit Reference(NodeId target) : target_(target) {}

  bool check(const JsonValue& instance, Run& run, Marks& marks) const override {
    return run.apply(target_, instance, marks);
  }

 private:
  NodeId target_;
};

std::unique_ptr<const Keyword> make_reference(KeywordSource& source) {
  const auto target = source.target();
  if (!target) return nullptr;
  return std::make_unique<Reference>(target->node);
}

class DynamicReference final : public Keyword {
 public:
  explicit DynamicReference(ReferenceTarget target) : target_(std::move(target)) {}

  bool check(const JsonValue& instance, Run& run, Marks& marks) const override {
    return run.apply(run.outermost_anchor(target_.anchor, target_.node), instance, marks);
  }

 private:
  ReferenceTarget target_;
};

// Dynamic only where its first target is a $dynamicAnchor of that very name.
std::unique_ptr<const Keyword> make_dynamic_reference(KeywordSource& source) {
  auto target = source.target();
  if (!target) return nullptr;
  const NamedNodes& anchors = source.index().resource_of(target->node).dynamic_anchors;
  const auto anchor = anchors.find(target->anchor);
  if (anchor == anchors.end() || anchor->second != target->node) {
    return std::make_unique<Reference>(target->node);
  }
  return std::make_unique<DynamicReference>(std::move(*target));
}

class RecursiveReference final : public Keyword {
 public:
  explicit RecursiveReference(NodeId root) : root_(root) {}

  bool check(const JsonValue& instance, Run& run, Marks& marks) const override {
    return run.apply(run.outermost_recursive_anchor(root_), instance, marks);
  }

 private:
  NodeId root_;
};

std::unique_ptr<const Keyword> make_recursive_reference(KeywordSource& source) {
  if (source.text() != "#") return source.refuse("must be \"#\".");
  const auto target = source.target();
  if (!target) return nullptr;
  if (!source.index().resource_of(target->node).recursive_anchor) {
    return std::make_unique<Reference>(target->node);
  }
  return std::make_unique<RecursiveReference>(target->node);
}

constexpr std::array kReferenceKeywords{
    KeywordEntry{"$ref", make_reference, kAllDrafts},
    KeywordEntry{"$dynamicRef", make_dynamic_reference, kFrom2020},
    KeywordEntry{"$recursiveRef", make_recursive_reference, kOnly2019},
};

}  // namespace

std::span<const KeywordEntry> reference_keywords() { return kReferenceKeywords; }

}  // namespace parley::inference::json_schema
