#pragma once
// JSON text to template values. Pure function, any thread, never throws.

#include <optional>
#include <string_view>

#include "orchestration/jinja/value.h"

namespace parley::orchestration::jinja {

// All strings, keys included, get `origin`. Integers from 2^63 to 2^64 become floats. Absent when the text is
// not JSON, nests deeper than 128 levels, or holds a larger integer.
std::optional<Value> parse_json(std::string_view text, Origin origin);

}  // namespace parley::orchestration::jinja
