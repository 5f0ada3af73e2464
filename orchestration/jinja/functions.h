#pragma once
// Functions every template may call: range, dict, namespace, raise_exception, strftime_now, joiner.
// Any thread, never fails; what the functions do is on the render's thread and fails through it.

#include <memory>
#include <string_view>

#include "orchestration/jinja/object.h"

namespace parley::orchestration::jinja {

// Null when there is none of that name.
std::shared_ptr<Object> find_function(std::string_view name);

}  // namespace parley::orchestration::jinja
