#pragma once
// Tests (`value is name(arguments)`) by name. On the render's thread; failures end the render.

#include <string_view>

#include "orchestration/jinja/interpreter.h"
#include "orchestration/jinja/object.h"
#include "orchestration/jinja/value.h"

namespace parley::orchestration::jinja {

using Test = bool (*)(Interpreter& interpreter, const Value& input, const Arguments& arguments);

// Null when there is none of that name.
Test find_test(std::string_view name);

// Fails when there is none of that name.
bool apply_test(Interpreter& interpreter, std::string_view name, const Value& input,
                const Arguments& arguments);

}  // namespace parley::orchestration::jinja
