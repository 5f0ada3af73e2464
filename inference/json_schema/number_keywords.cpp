// minimum, maximum, their exclusive kin, multipleOf.
#include <array>

#include "inference/json_schema/exact_number.h"
#include "inference/json_schema/keyword_source.h"
#include "inference/json_schema/run.h"
#include "inference/json_schema/wording.h"

namespace parley::inference::json_schema {
namespace {

using json::JsonValue;

struct Comparator {
  std::string_view keyword;
  std::string_view words;  // before the limit
  bool (*holds)(ExactNumber number, ExactNumber limit);
};

constexpr Comparator kMinimum{"minimum", "at least", [](ExactNumber a, ExactNumber b) { return a >= b; }};
constexpr Comparator kMaximum{"maximum", "at most", [](ExactNumber a, ExactNumber b) { return a <= b; }};
constexpr Comparator kAbove{"exclusiveMinimum", "more than",
                            [](ExactNumber a, ExactNumber b) { return a > b; }};
constexpr Comparator kBelow{"exclusiveMaximum", "less than",
                            [](ExactNumber a, ExactNumber b) { return a < b; }};

class NumberLimit final : public Keyword {
 public:
  NumberLimit(const Comparator& comparator, const JsonValue& limit)
      : comparator_(comparator), limit_(limit) {}

  bool check(const JsonValue& instance, Run& run, Marks&) const override {
    if (!instance.is_number()) return true;
    if (comparator_.holds(exact_number(instance), exact_number(limit_))) return true;
    return run.fail(comparator_.keyword, [&] {
      return "must be " + std::string(comparator_.words) + " " + shown(limit_) + ", not " + shown(instance);
    });
  }

 private:
  const Comparator& comparator_;
  JsonValue limit_;
};

template <const Comparator& comparator>
std::unique_ptr<const Keyword> make_limit(KeywordSource& source) {
  const auto limit = source.number();
  if (!limit) return nullptr;
  return std::make_unique<NumberLimit>(comparator, *limit);
}

class MultipleKeyword final : public Keyword {
 public:
  explicit MultipleKeyword(const JsonValue& divisor) : divisor_(divisor) {}

  bool check(const JsonValue& instance, Run& run, Marks&) const override {
    if (!instance.is_number() || is_multiple(instance, divisor_)) return true;
    return run.fail("multipleOf",
                    [&] { return "must be a multiple of " + shown(divisor_) + ", not " + shown(instance); });
  }

 private:
  JsonValue divisor_;
};

std::unique_ptr<const Keyword> make_multiple(KeywordSource& source) {
  const auto divisor = source.number();
  if (!divisor) return nullptr;
  if (!(exact_number(*divisor) > 0)) return source.refuse("must be more than 0.");
  return std::make_unique<MultipleKeyword>(*divisor);
}

constexpr std::array kNumberKeywords{
    KeywordEntry{"minimum", make_limit<kMinimum>, kAllDrafts},
    KeywordEntry{"maximum", make_limit<kMaximum>, kAllDrafts},
    KeywordEntry{"exclusiveMinimum", make_limit<kAbove>, kAllDrafts},
    KeywordEntry{"exclusiveMaximum", make_limit<kBelow>, kAllDrafts},
    KeywordEntry{"multipleOf", make_multiple, kAllDrafts},
};

}  // namespace

std::span<const KeywordEntry> number_keywords() { return kNumberKeywords; }

}  // namespace parley::inference::json_schema
