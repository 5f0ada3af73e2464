#pragma once
// The calculator's functions and constants. Pure, any thread; what has no result is a failed Number.

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "orchestration/tools/calculator_number.h"

namespace parley::orchestration::tools {

// pi, e; nullopt: there is no such constant.
std::optional<Number> constant(std::string_view name);

// sqrt abs floor ceil round(x[, decimals]) min max sin cos tan asin acos atan (radians) ln log(x[, base])
// log2 log10 exp. Halves are rounded away from zero, logarithms are to base 10 without a base.
Number call_function(std::string_view name, std::span<const Number> arguments);

bool is_function(std::string_view name);
std::string function_list();  // for messages

}  // namespace parley::orchestration::tools
