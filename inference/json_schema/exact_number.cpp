#include "inference/json_schema/exact_number.h"

#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string_view>

namespace parley::inference::json_schema {
namespace {

static_assert(std::numeric_limits<ExactNumber>::digits >= 64);

using Wide = unsigned __int128;

struct Decimal {  // digits times ten to the exponent; digits do not end with a zero, but for zero itself
  std::uint64_t digits = 0;
  int exponent = 0;
};

Decimal normalised(Decimal decimal) {
  while (decimal.digits != 0 && decimal.digits % 10 == 0) {
    decimal.digits /= 10;
    ++decimal.exponent;
  }
  return decimal;
}

Decimal decimal_of(double number) {
  std::array<char, 40> text{};
  const auto written =
      std::to_chars(text.data(), text.data() + text.size(), std::abs(number), std::chars_format::scientific);
  Decimal decimal;
  const char* c = text.data();
  bool fraction = false;
  for (; c != written.ptr && *c != 'e'; ++c) {
    if (*c == '.') {
      fraction = true;
      continue;
    }
    decimal.digits = decimal.digits * 10 + static_cast<std::uint64_t>(*c - '0');  // 17 digits at most
    if (fraction) --decimal.exponent;
  }
  int exponent = 0;
  if (c != written.ptr) std::from_chars(c + (c[1] == '+' ? 2 : 1), written.ptr, exponent);
  decimal.exponent += exponent;
  return normalised(decimal);
}

Decimal decimal_of(const json::JsonValue& number) {
  if (number.is_double()) return decimal_of(number.get_double());
  if (number.is_uint64()) return normalised({.digits = number.get_uint64()});
  const std::int64_t signed_digits = number.get_int64();
  const auto digits = static_cast<std::uint64_t>(signed_digits);
  return normalised({.digits = signed_digits < 0 ? 0 - digits : digits});
}

}  // namespace

ExactNumber exact_number(const json::JsonValue& number) {
  if (number.is_int64()) return static_cast<ExactNumber>(number.get_int64());
  if (number.is_uint64()) return static_cast<ExactNumber>(number.get_uint64());
  return number.get_double();
}

bool is_integer(const json::JsonValue& value) {
  if (value.is_int64() || value.is_uint64()) return true;
  return value.is_double() && std::isfinite(value.get_double()) &&
         std::trunc(value.get_double()) == value.get_double();
}

bool is_multiple(const json::JsonValue& value, const json::JsonValue& divisor) {
  if (value.is_double() && !std::isfinite(value.get_double())) return false;
  const Decimal number = decimal_of(value);
  const Decimal by = decimal_of(divisor);
  if (number.digits == 0) return true;
  // number.digits has no factor ten left that a smaller exponent could ask for.
  if (number.exponent < by.exponent) return false;
  Wide rest = number.digits % by.digits;
  for (int i = by.exponent; i < number.exponent && rest != 0; ++i) rest = rest * 10 % by.digits;
  return rest == 0;
}

}  // namespace parley::inference::json_schema
