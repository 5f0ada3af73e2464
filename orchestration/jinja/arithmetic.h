#pragma once
// Arithmetic with Python's meaning. Integers are 64 bits wide. On the render's thread; failures (types that
// do not go together, division by zero, what does not fit) end the render.

#include <cstdint>

#include "orchestration/jinja/interpreter.h"
#include "orchestration/jinja/value.h"

namespace parley::orchestration::jinja {

enum class Arithmetic : std::uint8_t { add, subtract, multiply, divide, floor_divide, modulo, power };

// Also joins and repeats texts and lists, and formats `text % values`.
Value calculate(Interpreter& interpreter, Arithmetic operation, const Value& left, const Value& right);
Value negate(Interpreter& interpreter, const Value& value);

// Numbers include booleans.
bool is_number(const Value& value);
double number_of(const Value& value);  // requires is_number
// Towards zero. Fails for what no 64-bit integer holds.
std::int64_t truncate(Interpreter& interpreter, double number);

// `~`: both as text.
Text concatenate(Interpreter& interpreter, const Value& left, const Value& right);

}  // namespace parley::orchestration::jinja
