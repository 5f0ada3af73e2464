#include "orchestration/jinja/arithmetic.h"

#include <cmath>
#include <limits>
#include <optional>
#include <string>

#include "orchestration/jinja/percent_format.h"
#include "orchestration/jinja/python_text.h"
#include "orchestration/jinja/text_operations.h"

namespace parley::orchestration::jinja {
namespace {

using Kind = Value::Kind;
using Integer = std::int64_t;

constexpr std::string_view kSigns[] = {"+", "-", "*", "/", "//", "%", "**"};

bool is_whole(const Value& value) { return value.is(Kind::integer) || value.is(Kind::boolean); }

Integer whole_of(const Value& value) {
  return value.is(Kind::boolean) ? value.as_boolean() : value.as_integer();
}

[[noreturn]] void refuse_types(Interpreter& interpreter, Arithmetic operation, const Value& left,
                               const Value& right) {
  for (const Value* side : {&left, &right}) {
    if (side->is(Kind::undefined)) interpreter.fail(describe(side->as_undefined()));
  }
  interpreter.fail("unsupported operand types for " + std::string(kSigns[static_cast<int>(operation)]) +
                   ": '" + std::string(type_name(left)) + "' and '" + std::string(type_name(right)) + "'");
}

[[noreturn]] void refuse_overflow(Interpreter& interpreter) {
  interpreter.fail("the result is too large for a 64-bit integer");
}

Integer floor_quotient(Integer a, Integer b) {
  const Integer quotient = a / b;
  return (a % b != 0 && (a < 0) != (b < 0)) ? quotient - 1 : quotient;
}

// With the sign of the divisor.
Integer floor_rest(Integer a, Integer b) {
  const Integer rest = a % b;
  return (rest != 0 && (rest < 0) != (b < 0)) ? rest + b : rest;
}

std::optional<Integer> whole_power(Integer base, Integer exponent) {
  Integer result = 1;
  while (exponent > 0) {
    if ((exponent & 1) != 0 && __builtin_mul_overflow(result, base, &result)) return std::nullopt;
    exponent >>= 1;
    if (exponent > 0 && __builtin_mul_overflow(base, base, &base)) return std::nullopt;
  }
  return result;
}

double float_modulo(double a, double b) {
  const double rest = std::fmod(a, b);
  if (rest == 0) return std::copysign(0.0, b);
  return (rest < 0) != (b < 0) ? rest + b : rest;
}

double float_floor_quotient(double a, double b) {
  const double rest = float_modulo(a, b);
  const double quotient = (a - rest) / b;
  const double floor = std::floor(quotient);
  return quotient - floor > 0.5 ? floor + 1 : floor;
}

Value calculate_floats(Interpreter& interpreter, Arithmetic operation, double a, double b) {
  const bool divides = operation == Arithmetic::divide || operation == Arithmetic::floor_divide ||
                       operation == Arithmetic::modulo;
  if (divides && b == 0) interpreter.fail("division by zero");
  switch (operation) {
    case Arithmetic::add:
      return Value::floating(a + b);
    case Arithmetic::subtract:
      return Value::floating(a - b);
    case Arithmetic::multiply:
      return Value::floating(a * b);
    case Arithmetic::divide:
      return Value::floating(a / b);
    case Arithmetic::floor_divide:
      return Value::floating(float_floor_quotient(a, b));
    case Arithmetic::modulo:
      return Value::floating(float_modulo(a, b));
    case Arithmetic::power:
      break;
  }
  if (a == 0 && b < 0) interpreter.fail("division by zero");
  const double result = std::pow(a, b);
  if (std::isnan(result) && !std::isnan(a) && !std::isnan(b))
    interpreter.fail("the result is not a real number");
  return Value::floating(result);
}

Value calculate_wholes(Interpreter& interpreter, Arithmetic operation, Integer a, Integer b) {
  const bool floats = operation == Arithmetic::divide || (operation == Arithmetic::power && b < 0);
  if (floats) return calculate_floats(interpreter, operation, static_cast<double>(a), static_cast<double>(b));
  Integer result = 0;
  bool overflow = false;
  if (operation == Arithmetic::add) {
    overflow = __builtin_add_overflow(a, b, &result);
  } else if (operation == Arithmetic::subtract) {
    overflow = __builtin_sub_overflow(a, b, &result);
  } else if (operation == Arithmetic::multiply) {
    overflow = __builtin_mul_overflow(a, b, &result);
  } else if (operation == Arithmetic::power) {
    const auto power = whole_power(a, b);
    overflow = !power;
    result = power.value_or(0);
  } else {
    if (b == 0) interpreter.fail("division by zero");
    overflow = a == std::numeric_limits<Integer>::min() && b == -1;
    if (!overflow) {
      result = operation == Arithmetic::floor_divide ? floor_quotient(a, b) : floor_rest(a, b);
    } else if (operation == Arithmetic::modulo) {
      return Value::integer(0);
    }
  }
  if (overflow) refuse_overflow(interpreter);
  return Value::integer(result);
}

Value repeat_text(Interpreter& interpreter, const Text& text, std::size_t times) {
  if (text.empty()) return text;
  interpreter.charge(times, text.copy_bytes());
  interpreter.work(4 * times);
  TextBuilder builder;
  for (std::size_t i = 0; i < times; ++i) builder.append(text);
  return builder.take();
}

Value repeat_list(Interpreter& interpreter, const List& list, std::size_t times) {
  ValueList items;
  for (std::size_t i = 0; i < times && !list.items.empty(); ++i) {
    interpreter.step();
    interpreter.charge_items(list.items.size());
    items.insert(items.end(), list.items.begin(), list.items.end());
  }
  return interpreter.make_list(std::move(items), list.sequence);
}

bool is_sequence(const Value& value) {
  if (value.is(Kind::text)) return true;
  return value.is(Kind::list) && value.as_list()->sequence <= Sequence::tuple;
}

Value add_lists(Interpreter& interpreter, const List& left, const List& right) {
  ValueList items;
  interpreter.charge_items(left.items.size() + right.items.size());
  items.reserve(left.items.size() + right.items.size());
  items.insert(items.end(), left.items.begin(), left.items.end());
  items.insert(items.end(), right.items.begin(), right.items.end());
  return interpreter.make_list(std::move(items), left.sequence);
}

Value repeat(Interpreter& interpreter, const Value& sequence, Integer times) {
  const std::size_t count = times < 0 ? 0 : static_cast<std::size_t>(times);
  if (sequence.is(Kind::text)) return repeat_text(interpreter, sequence.as_text(), count);
  return repeat_list(interpreter, *sequence.as_list(), count);
}

}  // namespace

bool is_number(const Value& value) { return value.kind() >= Kind::boolean && value.kind() <= Kind::floating; }

double number_of(const Value& value) {
  return value.is(Kind::floating) ? value.as_floating() : static_cast<double>(whole_of(value));
}

std::int64_t truncate(Interpreter& interpreter, double number) {
  constexpr double kLimit = 9223372036854775808.0;  // 2^63
  if (!(number > -kLimit && number < kLimit)) refuse_overflow(interpreter);
  return static_cast<Integer>(number);
}

Value calculate(Interpreter& interpreter, Arithmetic operation, const Value& left, const Value& right) {
  if (is_whole(left) && is_whole(right)) {
    return calculate_wholes(interpreter, operation, whole_of(left), whole_of(right));
  }
  if (is_number(left) && is_number(right)) {
    return calculate_floats(interpreter, operation, number_of(left), number_of(right));
  }
  if (operation == Arithmetic::add && left.is(Kind::text) && right.is(Kind::text)) {
    return append(interpreter, left.as_text(), right.as_text());
  }
  const bool same_lists = left.is(Kind::list) && right.is(Kind::list) && is_sequence(left) &&
                          left.as_list()->sequence == right.as_list()->sequence;
  if (operation == Arithmetic::add && same_lists) {
    return add_lists(interpreter, *left.as_list(), *right.as_list());
  }
  if (operation == Arithmetic::multiply) {
    if (is_sequence(left) && is_whole(right)) return repeat(interpreter, left, whole_of(right));
    if (is_whole(left) && is_sequence(right)) return repeat(interpreter, right, whole_of(left));
  }
  if (operation == Arithmetic::modulo && left.is(Kind::text)) {
    return format_percent(interpreter, left.as_text(), right);
  }
  refuse_types(interpreter, operation, left, right);
}

Value negate(Interpreter& interpreter, const Value& value) {
  if (value.is(Kind::floating)) return Value::floating(-value.as_floating());
  if (!is_whole(value)) {
    if (value.is(Kind::undefined)) interpreter.fail(describe(value.as_undefined()));
    interpreter.fail("bad operand type for unary -: '" + std::string(type_name(value)) + "'");
  }
  return calculate_wholes(interpreter, Arithmetic::subtract, 0, whole_of(value));
}

Text concatenate(Interpreter& interpreter, const Value& left, const Value& right) {
  return append(interpreter, to_text(interpreter, left), to_text(interpreter, right));
}

}  // namespace parley::orchestration::jinja
