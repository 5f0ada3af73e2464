#pragma once
// For "unknown key" messages: which known name was probably meant. Pure, any thread; never fails.

#include <span>
#include <string>
#include <string_view>

namespace parley::inference::json {

// The known name with the smallest edit distance (Levenshtein 1966), the first among equals; empty when none
// is near enough to be a likely slip (more than half of its letters differ).
std::string_view nearest_name(std::string_view unknown, std::span<const std::string_view> known);

}  // namespace parley::inference::json
