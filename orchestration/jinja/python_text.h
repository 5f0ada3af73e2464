#pragma once
// str() and repr() of Python, which is what printing a value means in a chat template.
// Bytes of a text keep their origin, escapes included; brackets, numbers and names count as the template's.
// On the render's thread, which ends when a value nests too deeply or is too long.

#include <string>

#include "orchestration/jinja/interpreter.h"
#include "orchestration/jinja/text.h"
#include "orchestration/jinja/value.h"

namespace parley::orchestration::jinja {

Text to_text(Interpreter& interpreter, const Value& value);            // str()
Text to_representation(Interpreter& interpreter, const Value& value);  // repr()

// The shortest digits that read back as the same number, laid out as Python does: 1.0, 1e+16, inf.
std::string format_float(double number);

// "'dict object' has no attribute 'x'" or "'x' is undefined".
std::string describe(const Undefined& undefined);

}  // namespace parley::orchestration::jinja
