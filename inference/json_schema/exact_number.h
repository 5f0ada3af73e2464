#pragma once
// Numbers compared as the numbers they are: an int64, a uint64 and a double are never rounded to fit each
// other. Pure, any thread.

#include "inference/json/json.h"

namespace parley::inference::json_schema {

// Holds each of the three kinds exactly, so <, == and > between two of them are right.
using ExactNumber = long double;

// `number` must be one.
ExactNumber exact_number(const json::JsonValue& number);

// Whether it has no fraction: 1.0 is an integer.
bool is_integer(const json::JsonValue& value);

// Whether value is divisor times an integer, both taken as the shortest decimals that mean them: 19.99 is a
// multiple of 0.01, although their nearest doubles are not. The divisor must be positive.
bool is_multiple(const json::JsonValue& value, const json::JsonValue& divisor);

}  // namespace parley::inference::json_schema
