// minLength, maxLength, pattern, format.
#include <algorithm>
#include <array>

#include "inference/json_schema/formats.h"
#include "inference/json_schema/keyword_source.h"
#include "inference/json_schema/pattern.h"
#include "inference/json_schema/run.h"
#include "inference/json_schema/wording.h"

namespace parley::inference::json_schema {
namespace {

using json::JsonValue;

constexpr std::size_t kTextBytesPerStep = 64;

std::size_t count_code_points(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(
      text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

class LengthKeyword final : public Keyword {
 public:
  enum class Bound : std::uint8_t { min, max };

  LengthKeyword(Bound bound, std::size_t limit) : bound_(bound), limit_(limit) {}

  bool check(const JsonValue& instance, Run& run, Marks&) const override {
    if (!instance.is_string()) return true;
    if (!run.budget().spend(instance.get_string().size() / kTextBytesPerStep)) return false;
    const std::size_t length = count_code_points(instance.get_string());
    const bool min = bound_ == Bound::min;
    if (min ? length >= limit_ : length <= limit_) return true;
    return run.fail(min ? "minLength" : "maxLength", [&] {
      return std::string(min ? "must have at least " : "must have at most ") + counted(limit_, "character") +
             ", has " + std::to_string(length);
    });
  }

 private:
  Bound bound_;
  std::size_t limit_;
};

template <LengthKeyword::Bound bound>
std::unique_ptr<const Keyword> make_length(KeywordSource& source) {
  const auto limit = source.count();
  if (!limit) return nullptr;
  return std::make_unique<LengthKeyword>(bound, *limit);
}

class PatternKeyword final : public Keyword {
 public:
  PatternKeyword(Pattern pattern, std::string_view text) : pattern_(std::move(pattern)), text_(cut(text)) {}

  bool check(const JsonValue& instance, Run& run, Marks&) const override {
    if (!instance.is_string() || pattern_.is_in(instance.get_string(), run.budget())) return true;
    return run.fail("pattern", [&] { return shown(instance) + " does not match the pattern " + text_; });
  }

 private:
  Pattern pattern_;
  std::string text_;
};

std::unique_ptr<const Keyword> make_pattern(KeywordSource& source) {
  const auto text = source.text();
  if (!text) return nullptr;
  auto pattern = Pattern::compile(*text);
  if (const auto* why = std::get_if<std::string>(&pattern)) {
    return source.refuse("is " + quoted(*text) + ", which cannot be used: " + *why + ".");
  }
  return std::make_unique<PatternKeyword>(std::get<Pattern>(std::move(pattern)), *text);
}

class FormatKeyword final : public Keyword {
 public:
  explicit FormatKeyword(const Format& format) : format_(format) {}

  bool check(const JsonValue& instance, Run& run, Marks&) const override {
    if (!instance.is_string()) return true;
    if (!run.budget().spend(instance.get_string().size() / kTextBytesPerStep)) return false;
    if (format_.holds(instance.get_string())) return true;
    return run.fail("format", [&] { return shown(instance) + " is not " + std::string(format_.words); });
  }

 private:
  const Format& format_;  // in a constant table
};

std::unique_ptr<const Keyword> make_format(KeywordSource& source) {
  const auto name = source.text();
  const Format* format = name ? find_format(*name) : nullptr;
  if (!format || source.formats() == FormatRule::describe) return nullptr;
  return std::make_unique<FormatKeyword>(*format);
}

constexpr std::array kStringKeywords{
    KeywordEntry{"minLength", make_length<LengthKeyword::Bound::min>, kAllDrafts},
    KeywordEntry{"maxLength", make_length<LengthKeyword::Bound::max>, kAllDrafts},
    KeywordEntry{"pattern", make_pattern, kAllDrafts},
    KeywordEntry{"format", make_format, kAllDrafts},
};

}  // namespace

std::span<const KeywordEntry> string_keywords() { return kStringKeywords; }

}  // namespace parley::inference::json_schema
