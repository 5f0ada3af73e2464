#pragma once
// What methods and filters on lists and dicts share. On the render's thread; failures end the render.

#include "orchestration/jinja/interpreter.h"
#include "orchestration/jinja/value.h"

namespace parley::orchestration::jinja {

// (key, value) tuples.
ValueList items_of(Interpreter& interpreter, const Dict& dict);

// Value that orders and compares without regard to case when it is text.
Value ignore_case(Interpreter& interpreter, const Value& value);

struct SortOrder {
  bool reverse = false;
};
// Stable, by ascending key; `keys` has one for each item.
ValueList sorted_by(Interpreter& interpreter, const ValueList& items, const ValueList& keys, SortOrder order);

}  // namespace parley::orchestration::jinja
