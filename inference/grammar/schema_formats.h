#pragma once
// Patterns of the formats of JSON Schema that are enforced. Pure, any thread, never fails.

#include <optional>
#include <string_view>

namespace parley::inference::grammar {

// For the whole text, in the syntax of parse_regex. Nullopt: the format is not known.
std::optional<std::string_view> pattern_of_format(std::string_view format);

}  // namespace parley::inference::grammar
