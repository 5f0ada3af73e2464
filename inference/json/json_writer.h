#pragma once
// JSON values to text. Boost.JSON's own serializer writes 0.4 as 4E-1 and infinities as 1e99999; this one
// writes what people expect. Plain functions, any thread; never fails.

#include <string>

#include "inference/json/json.h"

namespace parley::inference::json {

// Always valid JSON: numbers that JSON cannot hold (NaN, infinities) become null, bytes that are not UTF-8
// U+FFFD.
std::string to_json_text(const JsonValue& value);

// The shortest decimal that means this float: 0.7, where a plain conversion gives 0.699999988079071.
JsonValue json_number(float value);

}  // namespace parley::inference::json
