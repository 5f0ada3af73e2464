#pragma once
// str.split() and its relatives. Parts share the text's storage and keep its origins.

#include "orchestration/jinja/interpreter.h"
#include "orchestration/jinja/object.h"
#include "orchestration/jinja/value.h"

namespace parley::orchestration::jinja {

Value text_split(Interpreter& interpreter, const Value& receiver, const Arguments& arguments);
Value text_rsplit(Interpreter& interpreter, const Value& receiver, const Arguments& arguments);
Value text_splitlines(Interpreter& interpreter, const Value& receiver, const Arguments& arguments);
Value text_partition(Interpreter& interpreter, const Value& receiver, const Arguments& arguments);
Value text_rpartition(Interpreter& interpreter, const Value& receiver, const Arguments& arguments);

// Where `needle` begins last in `text`; npos when nowhere. Charges its work.
std::size_t find_last(Interpreter& interpreter, std::string_view text, std::string_view needle);

}  // namespace parley::orchestration::jinja
