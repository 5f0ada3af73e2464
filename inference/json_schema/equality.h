#pragma once
// Equality as JSON Schema means it: by value, 1 and 1.0 are equal, members have no order. Pure, any thread.
// Values nested too deeply, or too costly for the budget, exhaust it; the result then means nothing.

#include <cstddef>
#include <optional>
#include <utility>

#include "inference/json/json.h"
#include "inference/json_schema/budget.h"

namespace parley::inference::json_schema {

bool are_equal(const json::JsonValue& a, const json::JsonValue& b, Budget& budget);

// The indexes of two equal elements, the first of such pairs by the second index; nullopt: all differ.
std::optional<std::pair<std::size_t, std::size_t>> find_equal_pair(const json::JsonArray& array,
                                                                   Budget& budget);

}  // namespace parley::inference::json_schema
