#pragma once
// Python's `text % values` and str.format(), as far as chat templates go: %s %r %d %i %u %x %X %o %c %f %e %g
// %% with flags, width and precision, mapping keys; {} {0} {name} without format specifications. Bytes of the
// format and of text values keep their origin. On the render's thread; what is not
// supported ends the render.

#include "orchestration/jinja/interpreter.h"
#include "orchestration/jinja/object.h"
#include "orchestration/jinja/text.h"

namespace parley::orchestration::jinja {

Text format_percent(Interpreter& interpreter, const Text& format, const Value& values);
Text format_braces(Interpreter& interpreter, const Text& format, const Arguments& arguments);

}  // namespace parley::orchestration::jinja
