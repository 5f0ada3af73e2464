// Filters that make numbers.

#include <array>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string>

#include "orchestration/jinja/arithmetic.h"
#include "orchestration/jinja/attributes.h"
#include "orchestration/jinja/bound_arguments.h"
#include "orchestration/jinja/characters.h"
#include "orchestration/jinja/filters.h"
#include "orchestration/jinja/python_text.h"

namespace parley::orchestration::jinja {
namespace {

using Kind = Value::Kind;

constexpr std::size_t kDigitWork = 16;  // of a character that is copied and read twice

// Python allows spaces around a number and underscores between digits.
std::string plain_number(std::string_view text) {
  const std::size_t begin = skip_spaces(text, 0);
  std::string plain;
  for (const char c : text.substr(begin, trimmed_end(text, begin) - begin)) {
    if (c != '_') plain.push_back(c);
  }
  return plain;
}

std::optional<double> parse_float(std::string_view text) {
  std::string plain = plain_number(text);
  if (plain.size() > 1 && plain[0] == '+' && plain[1] != '-') plain.erase(0, 1);
  double number = 0;
  const auto parsed = std::from_chars(plain.data(), plain.data() + plain.size(), number);
  const bool whole = parsed.ptr == plain.data() + plain.size() && !plain.empty();
  if (!whole || parsed.ec == std::errc::invalid_argument) return std::nullopt;
  if (parsed.ec == std::errc::result_out_of_range) return std::strtod(plain.c_str(), nullptr);
  return number;
}

void drop_base_prefix(std::string& digits, int base) {
  const std::size_t sign = !digits.empty() && digits[0] == '-' ? 1 : 0;
  if (digits.size() < sign + 2 || digits[sign] != '0') return;
  const char letter = static_cast<char>(digits[sign + 1] | 0x20);
  const bool fits =
      (base == 16 && letter == 'x') || (base == 8 && letter == 'o') || (base == 2 && letter == 'b');
  if (fits) digits.erase(sign, 2);
}

std::optional<std::int64_t> parse_integer(std::string_view text, int base) {
  std::string digits = plain_number(text);
  if (digits.size() > 1 && digits[0] == '+' && digits[1] != '-') digits.erase(0, 1);
  drop_base_prefix(digits, base);
  std::int64_t number = 0;
  const auto parsed = std::from_chars(digits.data(), digits.data() + digits.size(), number, base);
  if (parsed.ec != std::errc() || parsed.ptr != digits.data() + digits.size()) return std::nullopt;
  return number;
}

Value filter_int(Interpreter& interpreter, const Value& input, const Arguments& arguments) {
  const BoundArguments bound(interpreter, arguments, {"int", {"default", "base"}});
  Value fallback = bound.has(0) ? bound[0] : Value::integer(0);
  if (input.is(Kind::undefined)) interpreter.fail(describe(input.as_undefined()));
  if (input.is(Kind::integer)) return input;
  if (input.is(Kind::boolean)) return Value::integer(input.as_boolean() ? 1 : 0);
  std::optional<double> number;
  if (input.is(Kind::text)) {
    interpreter.work(kDigitWork * input.as_text().size());
    const std::int64_t base = bound.integer(1, 10);
    if (base < 2 || base > 36) return fallback;
    if (const auto whole = parse_integer(input.as_text().view(), static_cast<int>(base))) {
      return Value::integer(*whole);
    }
    number = parse_float(input.as_text().view());
  } else if (input.is(Kind::floating)) {
    number = input.as_floating();
  }
  if (!number || !std::isfinite(*number)) return fallback;
  return Value::integer(truncate(interpreter, *number));
}

Value filter_float(Interpreter& interpreter, const Value& input, const Arguments& arguments) {
  const BoundArguments bound(interpreter, arguments, {"float", {"default"}});
  if (input.is(Kind::undefined)) interpreter.fail(describe(input.as_undefined()));
  if (is_number(input)) return Value::floating(number_of(input));
  if (input.is(Kind::text)) {
    interpreter.work(kDigitWork * input.as_text().size());
    if (const auto number = parse_float(input.as_text().view())) return Value::floating(*number);
  }
  return bound.has(0) ? bound[0] : Value::floating(0);
}

Value filter_abs(Interpreter& interpreter, const Value& input, const Arguments& arguments) {
  const BoundArguments bound(interpreter, arguments, {"abs", {}});
  if (input.is(Kind::floating)) return Value::floating(std::fabs(input.as_floating()));
  if (is_number(input) && number_of(input) >= 0) return negate(interpreter, negate(interpreter, input));
  return negate(interpreter, input);
}

// To `precision` decimals, ties as the exact binary value says, as Python does.
double round_to(double number, std::int64_t precision) {
  if (!std::isfinite(number)) return number;
  if (precision == 0) return std::nearbyint(number);
  if (precision < 0) {
    const double scale = std::pow(10.0, static_cast<double>(-precision));
    return std::isfinite(scale) ? std::nearbyint(number / scale) * scale : 0.0;
  }
  std::array<char, 800> digits{};
  std::snprintf(digits.data(), digits.size(), "%.*f",
                static_cast<int>(std::min<std::int64_t>(precision, 330)), number);
  return std::strtod(digits.data(), nullptr);
}

Value filter_round(Interpreter& interpreter, const Value& input, const Arguments& arguments) {
  const BoundArguments bound(interpreter, arguments, {"round", {"precision", "method"}});
  const std::int64_t precision = bound.integer(0, 0);
  const std::string method = bound.has(1) ? std::string(bound.text(1).view()) : "common";
  if (input.is(Kind::undefined)) interpreter.fail(describe(input.as_undefined()));
  if (!is_number(input))
    interpreter.fail("round needs a number, not '" + std::string(type_name(input)) + "'");
  if (method == "common") {
    if (input.is(Kind::floating)) return Value::floating(round_to(input.as_floating(), precision));
    if (precision >= 0) return negate(interpreter, negate(interpreter, input));
    return Value::integer(truncate(interpreter, round_to(number_of(input), precision)));
  }
  if (method != "ceil" && method != "floor") interpreter.fail("method must be common, ceil or floor");
  const double scale = std::pow(10.0, static_cast<double>(precision));
  const double scaled = number_of(input) * scale;
  return Value::floating((method == "ceil" ? std::ceil(scaled) : std::floor(scaled)) / scale);
}

Value filter_sum(Interpreter& interpreter, const Value& input, const Arguments& arguments) {
  const BoundArguments bound(interpreter, arguments, {"sum", {"attribute", "start"}});
  Value total = bound.has(1) ? bound[1] : Value::integer(0);
  const bool path = bound.has(0) && !bound[0].is(Kind::none);
  const auto items = iterate(interpreter, input);
  for (const Value& item : items->items) {
    interpreter.step();
    total = calculate(interpreter, Arithmetic::add, total,
                      path ? follow_path(interpreter, item, bound[0]) : item);
  }
  return total;
}

Value filter_length(Interpreter& interpreter, const Value& input, const Arguments& arguments) {
  const BoundArguments bound(interpreter, arguments, {"length", {}});
  const auto length = length_of(interpreter, input);
  if (!length) interpreter.fail("object of type '" + std::string(type_name(input)) + "' has no len()");
  return Value::integer(static_cast<std::int64_t>(*length));
}

}  // namespace

const FilterTable& number_filters() {
  static const FilterTable kFilters = {
      {"abs", filter_abs},       {"count", filter_length}, {"float", filter_float}, {"int", filter_int},
      {"length", filter_length}, {"round", filter_round},  {"sum", filter_sum},
  };
  return kFilters;
}

}  // namespace parley::orchestration::jinja
