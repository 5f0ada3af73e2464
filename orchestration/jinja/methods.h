#pragma once
// Methods of Python's str, dict and list that templates may call. Lists handed in by the caller cannot be
// changed; lists made by the template take append and pop. On the render's thread; failures end
// the render.

#include <optional>
#include <string_view>

#include "orchestration/jinja/interpreter.h"
#include "orchestration/jinja/object.h"
#include "orchestration/jinja/value.h"

namespace parley::orchestration::jinja {

using Method = Value (*)(Interpreter& interpreter, const Value& receiver, const Arguments& arguments);

// Null when the type has no such method.
Method find_method(const Value& receiver, std::string_view name);

// The method as a value of its own; absent when the type has no such method.
std::optional<Value> bound_method(Interpreter& interpreter, const Value& receiver, std::string_view name);

// For find_method: tables by type.
Method find_text_method(std::string_view name);
Method find_text_test_method(std::string_view name);  // isdigit and its like
Method find_dict_method(std::string_view name);
Method find_list_method(std::string_view name);

}  // namespace parley::orchestration::jinja
