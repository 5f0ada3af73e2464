#pragma once
// One check of one value against a schema: applies nodes, knows where in the value it is, collects violations
// and keeps the budget. Used by one thread, once. What runs out of budget is given up: `exhausted`.

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "inference/json/json.h"
#include "inference/json_schema/budget.h"
#include "inference/json_schema/keyword.h"

namespace parley::inference::json_schema {

class Run {
 public:
  explicit Run(const CompiledSchema& schema) : schema_(schema), budget_(schema.options.max_steps) {}

  // Whether `instance` is valid against the node; if not, the violations are added.
  bool apply(NodeId node, const json::JsonValue& instance, Marks& marks);
  // The same for a child of the value that is looked at: element `index`, or member `key`.
  bool apply_to_element(NodeId node, const json::JsonArray& array, std::size_t index);
  bool apply_to_member(NodeId node, const json::JsonObject::value_type& member);
  // The same without a word: violations are dropped.
  bool accepts(NodeId node, const json::JsonValue& instance, Marks& marks);
  // The same with violations put aside; `aside` stays empty while nobody listens.
  bool try_apply(NodeId node, const json::JsonValue& instance, Marks& marks, std::vector<Violation>& aside);

  // Reports a violation of `keyword` and returns false. `words` makes the sentence, where one is wanted.
  template <typename Words>
  bool fail(std::string_view keyword, const Words& words) {
    if (listens()) add(place(), keyword, words());
    return false;
  }
  // The same for a member, present or missing.
  template <typename Words>
  bool fail_at(std::string_view member, std::string_view keyword, const Words& words) {
    if (listens()) add(place_of(member), keyword, words());
    return false;
  }
  void report(std::vector<Violation> violations);

  // Where the value that is looked at is: a JSON pointer.
  std::string place() const;

  // Whether a sentence would still be kept.
  bool listens() const { return quiet_ == 0 && violations_.size() < schema_.options.max_violations; }
  // Whether the rest of the schemas must be looked at although the result is known.
  bool takes_marks() const { return schema_.takes_marks; }
  const Node& node(NodeId id) const { return schema_.nodes[id]; }

  // Marks for one value, or such that take none where nobody asks.
  Marks make_marks(const json::JsonValue& instance);
  // Where a dynamic reference that names `anchor` leads; `fallback` when no scope has it.
  NodeId outermost_anchor(std::string_view anchor, NodeId fallback);
  NodeId outermost_recursive_anchor(NodeId fallback);

  Budget& budget() { return budget_; }
  std::vector<Violation> take_violations() { return std::move(violations_); }

 private:
  struct Step {
    std::string_view key;
    std::size_t index = 0;  // when `key` has no data
  };

  bool check_keywords(const Node& node, const json::JsonValue& instance, Marks& marks);
  void add(std::string place, std::string_view keyword, std::string sentence);
  std::string place_of(std::string_view member) const;

  const CompiledSchema& schema_;
  Budget budget_;
  std::vector<Violation> violations_;
  std::vector<Step> steps_;
  std::vector<ResourceId> scopes_;  // of the schemas that are being applied, outermost first
  std::size_t depth_ = 0;
  std::size_t quiet_ = 0;
};

}  // namespace parley::inference::json_schema
