#pragma once
// JSON to template values and back. Pure functions, any thread.

#include <optional>
#include <string_view>

#include <boost/json/fwd.hpp>

#include "orchestration/jinja/value.h"

namespace parley::orchestration::jinja {

// All strings, keys included, get `origin`. Integers above the 64-bit range become floats.
Value from_json(const boost::json::value& json, Origin origin);

// All strings, keys included, get `origin`. Absent when the text is not JSON, nests deeper than 128 levels,
// or holds an integer beyond 64 bits.
std::optional<Value> parse_json(std::string_view text, Origin origin);

// Undefined and objects become null, keys that are not text their JSON form. Requires values without cycles.
boost::json::value to_json(const Value& value);

}  // namespace parley::orchestration::jinja
