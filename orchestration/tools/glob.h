#pragma once
// Patterns over tool names: * stands for any characters, ? for one; case counts. Pure, any thread; never
// fails. At worst the product of both lengths in time.

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace parley::orchestration::tools {

bool glob_matches(std::string_view pattern, std::string_view name);

// Matched by one of `include`, or `include` is empty; and by none of `exclude`.
bool is_wanted(std::string_view name, const std::vector<std::string>& include,
               const std::vector<std::string>& exclude);

// How much a pattern says: its characters that are no wildcards; one without wildcards says the most.
std::size_t glob_specificity(std::string_view pattern);

}  // namespace parley::orchestration::tools
