#pragma once
// Operators with Python's meaning. Integers are 64 bits wide; what does not fit is an error.
// Failures (types that do not go together, division by zero, overflow) end the render.

#include <cstdint>

#include "orchestration/jinja/interpreter.h"
#include "orchestration/jinja/value.h"

namespace parley::orchestration::jinja {

enum class Arithmetic : std::uint8_t { add, subtract, multiply, divide, floor_divide, modulo, power };
enum class Comparison : std::uint8_t {
  equal,
  not_equal,
  less,
  less_equal,
  greater,
  greater_equal,
  in,
  not_in
};

bool truthy(const Value& value);

Value calculate(Interpreter& interpreter, Arithmetic operation, const Value& left, const Value& right);
Value negate(Interpreter& interpreter, const Value& value);

bool equal(Interpreter& interpreter, const Value& left, const Value& right);
bool less(Interpreter& interpreter, const Value& left, const Value& right);
bool contains(Interpreter& interpreter, const Value& container, const Value& item);
bool compare(Interpreter& interpreter, Comparison comparison, const Value& left, const Value& right);

// Numbers include booleans.
bool is_number(const Value& value);
double number_of(const Value& value);  // requires is_number
// Towards zero. Fails for what no 64-bit integer holds.
std::int64_t truncate(Interpreter& interpreter, double number);

// `~`: both as text.
Text concatenate(Interpreter& interpreter, const Value& left, const Value& right);

}  // namespace parley::orchestration::jinja
