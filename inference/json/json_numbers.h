#pragma once
// Explains why a text is not JSON when a number is to blame. A plain function, any thread; never fails.

#include <optional>
#include <string>
#include <string_view>

namespace parley::inference::json {

// For a text that a JSON parser refused: the key of the first field whose value is NaN, an infinity, or a
// number that does not fit (empty when the value has no key, as in an array). Nullopt: no such number.
std::optional<std::string> find_bad_number(std::string_view text);

}  // namespace parley::inference::json
