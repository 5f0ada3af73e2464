#include "inference/grammar/schema_scalars.h"

#include <algorithm>
#include <charconv>
#include <utility>

#include <boost/json/string.hpp>

#include "inference/grammar/json_nodes.h"
#include "inference/grammar/regex_lexeme.h"
#include "inference/grammar/schema_formats.h"

namespace parley::inference::grammar {
namespace {

using json::JsonValue;

constexpr std::size_t kMaxProductStates = 20000;

std::string decimal_text(const JsonValue& number) {
  char buffer[1200];  // the smallest double has 1,076 places
  std::to_chars_result result{};
  if (const std::int64_t* integer = number.if_int64()) {
    result = std::to_chars(buffer, std::end(buffer), *integer);
  } else if (const std::uint64_t* natural = number.if_uint64()) {
    result = std::to_chars(buffer, std::end(buffer), *natural);
  } else {
    result = std::to_chars(buffer, std::end(buffer), number.get_double(), std::chars_format::fixed);
  }
  return {buffer, result.ptr};
}

void tighten_min(NumberRange& range, const NumberBound& bound) {
  const int order = range.min ? compare(bound.value, range.min->value) : 1;
  if (order > 0 || (order == 0 && bound.kind == NumberBound::Kind::exclusive)) range.min = bound;
}

void tighten_max(NumberRange& range, const NumberBound& bound) {
  const int order = range.max ? compare(bound.value, range.max->value) : -1;
  if (order < 0 || (order == 0 && bound.kind == NumberBound::Kind::exclusive)) range.max = bound;
}

// In draft 4 the exclusive forms are booleans beside the bound.
NumberBound::Kind kind_of_bound(const SchemaPart& part, std::string_view exclusive) {
  const JsonValue* flag = keyword(part, exclusive);
  const bool is_exclusive = flag != nullptr && flag->is_bool() && flag->get_bool();
  return is_exclusive ? NumberBound::Kind::exclusive : NumberBound::Kind::inclusive;
}

void add_bounds(const SchemaPart& part, NumberRange& range) {
  const auto bound = [&](std::string_view name, NumberBound::Kind kind) -> std::optional<NumberBound> {
    const JsonValue* value = keyword(part, name);
    if (value == nullptr || !value->is_number()) return std::nullopt;
    return NumberBound{parse_decimal(decimal_text(*value)), kind};
  };
  const auto min = bound("minimum", kind_of_bound(part, "exclusiveMinimum"));
  const auto max = bound("maximum", kind_of_bound(part, "exclusiveMaximum"));
  if (min) tighten_min(range, *min);
  if (max) tighten_max(range, *max);
  if (const auto above = bound("exclusiveMinimum", NumberBound::Kind::exclusive)) tighten_min(range, *above);
  if (const auto below = bound("exclusiveMaximum", NumberBound::Kind::exclusive)) tighten_max(range, *below);
}

bool is_one(const JsonValue& value) { return value.is_number() && value.to_number<double>() == 1; }

std::string range_key(const NumberRange& range) {
  std::string key = range.kind == NumberRange::Kind::integer ? "i" : "n";
  for (const auto& bound : {range.min, range.max}) {
    key += ' ';
    if (!bound) continue;
    key += bound->kind == NumberBound::Kind::exclusive ? "x" : "=";
    key += (bound->value.is_negative ? "-" : "") + bound->value.digits + "." + bound->value.fraction;
  }
  return key;
}

}  // namespace

std::string SchemaScalars::quoted(std::string_view text) { return shortest_spelling(text); }

std::shared_ptr<const Lexeme> SchemaScalars::literals(std::span<const std::string> texts) {
  std::size_t num_bytes = 0;
  for (const std::string& text : texts) num_bytes += text.size();
  const bool is_affordable = budget_.take(num_bytes * kTrieStateBytes);
  return make_literals(is_affordable ? texts : texts.first(1));
}

std::shared_ptr<const Lexeme> SchemaScalars::number_lexeme(const SchemaParts& parts, NumberRange::Kind kind) {
  NumberRange range;
  range.kind = kind;
  for (const SchemaPart& part : parts) {
    add_bounds(part, range);
    const JsonValue* factor = keyword(part, "multipleOf");
    const bool matters = factor != nullptr && !(kind == NumberRange::Kind::integer && is_one(*factor));
    if (matters) unchecked_.add(part, "multipleOf", "is only checked afterwards");
  }
  const auto [found, is_new] = numbers_.try_emplace(range_key(range));
  if (is_new) {
    found->second = make_number_lexeme(range);
    if (found->second) budget_.take(found->second->memory());
  }
  return found->second;
}

std::optional<LengthRange> SchemaScalars::length_of(const SchemaParts& parts) {
  LengthRange length;
  for (const SchemaPart& part : parts) {
    length.min = std::max(length.min, count_member(part, "minLength").value_or(0));
    length.max = std::min(length.max, count_member(part, "maxLength").value_or(kNoMaxLength));
    if (length.min > kMaxCountedLength) {
      unchecked_.add(part, "minLength", "is too large to be counted and only checked afterwards");
      length.min = kMaxCountedLength;
    }
  }
  if (length.max > kMaxCountedLength) length.max = kNoMaxLength;  // longer than any answer
  if (length.min > length.max) return std::nullopt;
  return length;
}

std::shared_ptr<const Lexeme> SchemaScalars::string_lexeme(const SchemaParts& parts) {
  const std::optional<LengthRange> length = length_of(parts);
  if (!length) return nullptr;
  std::vector<std::pair<const SchemaPart*, Content>> contents;
  for (const SchemaPart& part : parts) {
    if (budget_.spend(1)) add_patterns(part, contents);
  }
  const bool has_length = length->min > 0 || length->max != kNoMaxLength;
  if (has_length) contents.emplace_back(&parts.front(), make_sized_content(*length));
  if (contents.empty()) return any_string_lexeme();
  Content content = contents.front().second;
  for (std::size_t i = 1; i < contents.size() && budget_.has_time(); ++i) {
    const auto both = intersect(*content, *contents[i].second, kMaxProductStates);
    if (both && !*both) return nullptr;
    if (both) {
      content = *both;
      budget_.take(content->memory());
    } else {
      unchecked_.add(*contents[i].first, "pattern",
                     "is too large together with other limits of the string; some of them are only checked "
                     "afterwards");
    }
  }
  return make_quoted(std::move(content));
}

void SchemaScalars::add_patterns(const SchemaPart& part,
                                 std::vector<std::pair<const SchemaPart*, Content>>& contents) {
  const JsonValue* pattern = keyword(part, "pattern");
  if (pattern != nullptr && pattern->is_string()) {
    if (Content content = pattern_content(part, pattern->get_string()))
      contents.emplace_back(&part, std::move(content));
  }
  const JsonValue* format = keyword(part, "format");
  if (format != nullptr && format->is_string()) {
    if (Content content = format_lexeme(format->get_string())) {
      contents.emplace_back(&part, std::move(content));
    } else {
      unchecked_.add(part, "format", "names a format that is not enforced");
    }
  }
}

SchemaScalars::Content SchemaScalars::pattern_content(const SchemaPart& part, std::string_view pattern) {
  const auto known = patterns_.find(pattern);
  if (known != patterns_.end()) return known->second;
  if (!budget_.has_time()) return nullptr;
  const RegexOptions options{.match = RegexMatch::anywhere, .encoding = CharacterEncoding::json_string};
  const auto made = make_regex_lexeme(pattern, options);
  if (const auto* error = std::get_if<RegexError>(&made)) {
    unchecked_.add(part, "pattern", "is only checked afterwards. " + error->message);
    return nullptr;
  }
  const Content& content = patterns_.emplace(pattern, std::get<Content>(made)).first->second;
  budget_.take(content->memory());
  return content;
}

}  // namespace parley::inference::grammar
