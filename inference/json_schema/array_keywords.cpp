// items, prefixItems, additionalItems, contains, minItems, maxItems, uniqueItems, unevaluatedItems.
#include <array>

#include "inference/json_schema/equality.h"
#include "inference/json_schema/keyword_source.h"
#include "inference/json_schema/run.h"
#include "inference/json_schema/wording.h"

namespace parley::inference::json_schema {
namespace {

using json::JsonArray;
using json::JsonValue;

// One schema for each of the first elements.
class PrefixKeyword final : public Keyword {
 public:
  explicit PrefixKeyword(std::vector<NodeId> schemas) : schemas_(std::move(schemas)) {}

  bool check(const JsonValue& instance, Run& run, Marks& marks) const override {
    const JsonArray* array = instance.if_array();
    bool valid = true;
    for (std::size_t i = 0; array && i < std::min(array->size(), schemas_.size()); ++i) {
      if (!run.apply_to_element(schemas_[i], *array, i)) valid = false;
      if (!valid && !run.listens()) return false;
      marks.mark(i);
    }
    return valid;
  }

 private:
  std::vector<NodeId> schemas_;
};

std::unique_ptr<const Keyword> make_prefix(KeywordSource& source) {
  return std::make_unique<PrefixKeyword>(source.nodes_of(source.value().get_array()));
}

// One schema for all elements from an index on.
class RestKeyword final : public Keyword {
 public:
  RestKeyword(std::string_view keyword, NodeId schema, std::size_t first)
      : keyword_(keyword), schema_(schema), first_(first) {}

  bool check(const JsonValue& instance, Run& run, Marks& marks) const override {
    const JsonArray* array = instance.if_array();
    if (!array || array->size() <= first_) return true;
    if (run.node(schema_).allows_nothing) {
      return run.fail(keyword_, [&] {
        return "must have at most " + counted(first_, "item") + ", has " + std::to_string(array->size());
      });
    }
    bool valid = true;
    for (std::size_t i = first_; i < array->size(); ++i) {
      if (!run.apply_to_element(schema_, *array, i)) valid = false;
      if (!valid && !run.listens()) return false;
      marks.mark(i);
    }
    return valid;
  }

 private:
  std::string_view keyword_;  // a literal
  NodeId schema_;
  std::size_t first_;
};

std::unique_ptr<const Keyword> make_items_or_list(KeywordSource& source) {
  if (source.value().is_array()) return make_prefix(source);
  return std::make_unique<RestKeyword>("items", source.node_of(source.value()), 0);
}

std::unique_ptr<const Keyword> make_items(KeywordSource& source) {
  const JsonValue* prefix = source.neighbour("prefixItems");
  const std::size_t first = prefix ? prefix->get_array().size() : 0;
  return std::make_unique<RestKeyword>("items", source.node_of(source.value()), first);
}

std::unique_ptr<const Keyword> make_additional_items(KeywordSource& source) {
  const JsonValue* items = source.neighbour("items");
  if (!items || !items->is_array()) return nullptr;
  return std::make_unique<RestKeyword>("additionalItems", source.node_of(source.value()),
                                       items->get_array().size());
}

struct ContainsLimits {
  std::size_t min = 1;
  std::size_t max = SIZE_MAX;
  bool marks = false;  // what matched counts as evaluated
};

class ContainsKeyword final : public Keyword {
 public:
  ContainsKeyword(NodeId schema, const ContainsLimits& limits) : schema_(schema), limits_(limits) {}

  bool check(const JsonValue& instance, Run& run, Marks& marks) const override {
    const JsonArray* array = instance.if_array();
    if (!array) return true;
    std::size_t count = 0;
    for (std::size_t i = 0; i < array->size(); ++i) {
      Marks none;
      if (!run.accepts(schema_, (*array)[i], none)) continue;
      ++count;
      if (limits_.marks) marks.mark(i);
    }
    if (count >= limits_.min && count <= limits_.max) return true;
    return run.fail("contains", [&] {
      const bool few = count < limits_.min;
      return std::string(few ? "must have at least " : "must have at most ") +
             counted(few ? limits_.min : limits_.max, "item") +
             " of the kind that `contains` describes, has " + std::to_string(count);
    });
  }

 private:
  NodeId schema_;
  ContainsLimits limits_;
};

std::size_t count_beside(const KeywordSource& source, std::string_view keyword, std::size_t otherwise) {
  const JsonValue* value = source.draft() == Draft::draft7 ? nullptr : source.neighbour(keyword);
  return (value ? count_of(*value) : std::nullopt).value_or(otherwise);
}

std::unique_ptr<const Keyword> make_contains(KeywordSource& source) {
  ContainsLimits limits;
  limits.min = count_beside(source, "minContains", limits.min);
  limits.max = count_beside(source, "maxContains", limits.max);
  limits.marks = source.draft() == Draft::draft2020_12;
  return std::make_unique<ContainsKeyword>(source.node_of(source.value()), limits);
}

// `contains` reads it; here it is only refused where it is no count.
std::unique_ptr<const Keyword> make_contains_limit(KeywordSource& source) {
  source.count();
  return nullptr;
}

class ItemCount final : public Keyword {
 public:
  enum class Bound : std::uint8_t { min, max };

  ItemCount(Bound bound, std::size_t limit) : bound_(bound), limit_(limit) {}

  bool check(const JsonValue& instance, Run& run, Marks&) const override {
    const std::size_t size = instance.is_array() ? instance.get_array().size() : limit_;
    const bool min = bound_ == Bound::min;
    if (min ? size >= limit_ : size <= limit_) return true;
    return run.fail(min ? "minItems" : "maxItems", [&] {
      return std::string(min ? "must have at least " : "must have at most ") + counted(limit_, "item") +
             ", has " + std::to_string(size);
    });
  }

 private:
  Bound bound_;
  std::size_t limit_;
};

template <ItemCount::Bound bound>
std::unique_ptr<const Keyword> make_item_count(KeywordSource& source) {
  const auto limit = source.count();
  if (!limit) return nullptr;
  return std::make_unique<ItemCount>(bound, *limit);
}

class UniqueKeyword final : public Keyword {
 public:
  bool check(const JsonValue& instance, Run& run, Marks&) const override {
    const JsonArray* array = instance.if_array();
    const auto twins = array ? find_equal_pair(*array, run.budget()) : std::nullopt;
    if (!twins) return true;
    return run.fail("uniqueItems", [&] {
      return "must not hold equal items; items " + std::to_string(twins->first) + " and " +
             std::to_string(twins->second) + " are equal";
    });
  }
};

std::unique_ptr<const Keyword> make_unique_items(KeywordSource& source) {
  const auto wanted = source.boolean();
  if (!wanted || !*wanted) return nullptr;
  return std::make_unique<UniqueKeyword>();
}

class UnevaluatedItems final : public Keyword {
 public:
  explicit UnevaluatedItems(NodeId schema) : schema_(schema) {}

  bool check(const JsonValue& instance, Run& run, Marks& marks) const override {
    const JsonArray* array = instance.if_array();
    bool valid = true;
    for (std::size_t i = 0; array && i < array->size(); ++i) {
      if (!marks.has(i) && !run.apply_to_element(schema_, *array, i)) valid = false;
      if (!valid && !run.listens()) return false;
    }
    if (array) marks.mark_all();
    return valid;
  }

 private:
  NodeId schema_;
};

std::unique_ptr<const Keyword> make_unevaluated_items(KeywordSource& source) {
  return std::make_unique<UnevaluatedItems>(source.node_of(source.value()));
}

constexpr std::array kArrayKeywords{
    KeywordEntry{"prefixItems", make_prefix, kFrom2020},
    KeywordEntry{"items", make_items, kFrom2020},
    KeywordEntry{"items", make_items_or_list, kBefore2020},
    KeywordEntry{"additionalItems", make_additional_items, kBefore2020},
    KeywordEntry{"minItems", make_item_count<ItemCount::Bound::min>, kAllDrafts},
    KeywordEntry{"maxItems", make_item_count<ItemCount::Bound::max>, kAllDrafts},
    KeywordEntry{"contains", make_contains, kAllDrafts},
    KeywordEntry{"minContains", make_contains_limit, kFrom2019},
    KeywordEntry{"maxContains", make_contains_limit, kFrom2019},
    KeywordEntry{"uniqueItems", make_unique_items, kAllDrafts},
    KeywordEntry{"unevaluatedItems", make_unevaluated_items, kFrom2019, Turn::last},
};

}  // namespace

std::span<const KeywordEntry> array_keywords() { return kArrayKeywords; }

}  // namespace parley::inference::json_schema
