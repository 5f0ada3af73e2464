#pragma once
// Filters (`value|name(arguments)`) by name. On the render's thread, to which they charge their work;
// failures end the render.

#include <string_view>
#include <unordered_map>

#include "orchestration/jinja/interpreter.h"
#include "orchestration/jinja/object.h"
#include "orchestration/jinja/value.h"

namespace parley::orchestration::jinja {

using Filter = Value (*)(Interpreter& interpreter, const Value& input, const Arguments& arguments);
using FilterTable = std::unordered_map<std::string_view, Filter>;

// Null when there is none of that name.
Filter find_filter(std::string_view name);

// Fails when there is none of that name.
Value apply_filter(Interpreter& interpreter, std::string_view name, const Value& input,
                   const Arguments& arguments);

// For find_filter: what it searches.
const FilterTable& text_filters();
const FilterTable& value_filters();
const FilterTable& number_filters();
const FilterTable& list_filters();
const FilterTable& selection_filters();

}  // namespace parley::orchestration::jinja
