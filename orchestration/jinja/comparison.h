#pragma once
// Truth, equality, order and membership with Python's meaning. On the render's thread; failures (types that
// cannot be compared) end the render.

#include <cstdint>

#include "orchestration/jinja/interpreter.h"
#include "orchestration/jinja/value.h"

namespace parley::orchestration::jinja {

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
bool equal(Interpreter& interpreter, const Value& left, const Value& right);
bool less(Interpreter& interpreter, const Value& left, const Value& right);
bool contains(Interpreter& interpreter, const Value& container, const Value& item);
bool compare(Interpreter& interpreter, Comparison comparison, const Value& left, const Value& right);

}  // namespace parley::orchestration::jinja
