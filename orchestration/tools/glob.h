#pragma once
// Patterns over tool names: * stands for any characters, ? for one; case counts. Pure, any thread; never
// fails. At worst the product of both lengths in time.

#include <cstddef>
#include <string_view>

namespace parley::orchestration::tools {

bool glob_matches(std::string_view pattern, std::string_view name);

// How much a pattern says: its characters that are no wildcards; one without wildcards says the most.
std::size_t glob_specificity(std::string_view pattern);

}  // namespace parley::orchestration::tools
