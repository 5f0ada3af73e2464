// allOf, anyOf, oneOf, not, if/then/else: schemas on the same value.
#include <algorithm>
#include <array>

#include "inference/json/json_writer.h"
#include "inference/json_schema/closest_branch.h"
#include "inference/json_schema/keyword_source.h"
#include "inference/json_schema/run.h"
#include "inference/json_schema/wording.h"

namespace parley::inference::json_schema {
namespace {

using json::JsonValue;

std::vector<NodeId> branches_of(KeywordSource& source) {
  std::vector<NodeId> branches;
  for (const JsonValue& branch : source.value().get_array()) branches.push_back(source.in_place(branch));
  return branches;
}

class AllOf final : public Keyword {
 public:
  explicit AllOf(std::vector<NodeId> branches) : branches_(std::move(branches)) {}

  bool check(const JsonValue& instance, Run& run, Marks& marks) const override {
    bool valid = true;
    for (const NodeId branch : branches_) {
      if (!run.apply(branch, instance, marks)) valid = false;
      if (!valid && !run.listens()) return false;
    }
    return valid;
  }

 private:
  std::vector<NodeId> branches_;
};

class AnyOf final : public Keyword {
 public:
  explicit AnyOf(std::vector<NodeId> branches) : branches_(std::move(branches)) {}

  bool check(const JsonValue& instance, Run& run, Marks& marks) const override {
    bool valid = false;
    std::vector<std::vector<Violation>> failures;
    for (const NodeId branch : branches_) {
      std::vector<Violation> failure;
      if (run.try_apply(branch, instance, marks, failure)) {
        valid = true;
        if (!run.takes_marks()) break;
      } else if (run.listens()) {
        failures.push_back(std::move(failure));
      }
    }
    if (!valid) report_failed_branches("anyOf", std::move(failures), run);
    return valid;
  }

 private:
  std::vector<NodeId> branches_;
};

class OneOf final : public Keyword {
 public:
  explicit OneOf(std::vector<NodeId> branches) : branches_(std::move(branches)) {}

  bool check(const JsonValue& instance, Run& run, Marks& marks) const override {
    std::size_t matches = 0;
    std::vector<std::vector<Violation>> failures;
    for (std::size_t i = 0; i < branches_.size() && matches < 2; ++i) {
      std::vector<Violation> failure;
      if (run.try_apply(branches_[i], instance, marks, failure)) {
        ++matches;
      } else if (run.listens()) {
        failures.push_back(std::move(failure));
      }
    }
    if (matches == 1) return true;
    if (matches == 0) report_failed_branches("oneOf", std::move(failures), run);
    return matches == 0 ? false : run.fail("oneOf", [] {
      return "is of more than one of the forms of which it must be exactly one";
    });
  }

 private:
  std::vector<NodeId> branches_;
};

template <typename Combination>
std::unique_ptr<const Keyword> make_combination(KeywordSource& source) {
  return std::make_unique<Combination>(branches_of(source));
}

class Not final : public Keyword {
 public:
  Not(NodeId schema, std::string text) : schema_(schema), text_(std::move(text)) {}

  bool check(const JsonValue& instance, Run& run, Marks&) const override {
    Marks none;
    if (!run.accepts(schema_, instance, none)) return true;
    return run.fail("not", [&] { return "must not be valid against " + text_; });
  }

 private:
  NodeId schema_;
  std::string text_;
};

std::unique_ptr<const Keyword> make_not(KeywordSource& source) {
  return std::make_unique<Not>(source.in_place(source.value()), cut(json::to_json_text(source.value())));
}

class IfKeyword final : public Keyword {
 public:
  IfKeyword(NodeId condition, std::optional<NodeId> then, std::optional<NodeId> otherwise)
      : condition_(condition), then_(then), otherwise_(otherwise) {}

  bool check(const JsonValue& instance, Run& run, Marks& marks) const override {
    const auto& branch = run.accepts(condition_, instance, marks) ? then_ : otherwise_;
    return !branch || run.apply(*branch, instance, marks);
  }

 private:
  NodeId condition_;
  std::optional<NodeId> then_;
  std::optional<NodeId> otherwise_;
};

std::unique_ptr<const Keyword> make_if(KeywordSource& source) {
  const auto branch = [&](std::string_view keyword) -> std::optional<NodeId> {
    const JsonValue* schema = source.neighbour(keyword);
    if (!schema) return std::nullopt;
    return source.in_place(*schema);
  };
  const NodeId condition = source.in_place(source.value());
  return std::make_unique<IfKeyword>(condition, branch("then"), branch("else"));
}

constexpr std::array kCombiningKeywords{
    KeywordEntry{"allOf", make_combination<AllOf>, kAllDrafts},
    KeywordEntry{"anyOf", make_combination<AnyOf>, kAllDrafts},
    KeywordEntry{"oneOf", make_combination<OneOf>, kAllDrafts},
    KeywordEntry{"not", make_not, kAllDrafts},
    KeywordEntry{"if", make_if, kAllDrafts},
};

}  // namespace

std::span<const KeywordEntry> combining_keywords() { return kCombiningKeywords; }

}  // namespace parley::inference::json_schema
