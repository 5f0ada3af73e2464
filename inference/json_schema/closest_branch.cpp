#include "inference/json_schema/closest_branch.h"

#include <algorithm>
#include <string>

#include "inference/json_schema/wording.h"

namespace parley::inference::json_schema {
namespace {

using Failure = std::vector<Violation>;

// Wrong in kind: the value itself is refused, not something in it.
bool is_other_kind(const Failure& failure, std::string_view place) {
  return std::any_of(failure.begin(), failure.end(), [&](const Violation& violation) {
    const bool about_kind = violation.keyword == "type" || violation.keyword == "enum" ||
                            violation.keyword == "const" || violation.keyword == "false";
    return about_kind && violation.place == place;
  });
}

// A member that names the form ("kind": "circle") is wrong in the forms that were not meant.
bool is_other_variant(const Failure& failure) {
  return std::any_of(failure.begin(), failure.end(), [](const Violation& violation) {
    return violation.keyword == "const" || violation.keyword == "enum";
  });
}

// The one failure that `is_other` spares; null: none, or several.
template <typename Predicate>
Failure* only_one_left(std::vector<Failure>& failures, const Predicate& is_other) {
  Failure* left = nullptr;
  for (Failure& failure : failures) {
    if (is_other(failure)) continue;
    if (left) return nullptr;
    left = &failure;
  }
  return left;
}

std::string in_words(const std::vector<Failure>& failures) {
  std::vector<std::string> words;
  for (const Failure& failure : failures) {
    if (failure.empty()) continue;
    const Violation& first = failure.front();
    std::string word = to_text(Violation{.place = {}, .keyword = {}, .sentence = first.sentence});
    if (first.keyword == "required" || first.keyword == "additionalProperties") {
      word = "`" + readable_place(first.place) + "` " + first.sentence;
    }
    if (std::find(words.begin(), words.end(), word) == words.end()) words.push_back(std::move(word));
  }
  return listed(words, "and");
}

}  // namespace

void report_failed_branches(std::string_view keyword, std::vector<Failure> failures, Run& run) {
  if (!run.listens()) return;
  const std::string place = run.place();
  const auto other_kind = [&](const Failure& failure) { return is_other_kind(failure, place); };
  Failure* meant = failures.size() == 1 ? &failures.front() : only_one_left(failures, other_kind);
  if (!meant) meant = only_one_left(failures, is_other_variant);
  if (meant && !meant->empty()) return run.report(std::move(*meant));
  run.fail(keyword, [&] { return "is of none of the allowed forms: " + in_words(failures); });
}

}  // namespace parley::inference::json_schema
