#pragma once
// Names that a model or a stranger made up, as a result repeats them: each short and on one line, and not too
// many. Pure functions, any thread; never fail.

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace parley::orchestration::tools {

inline constexpr std::size_t kMaxToldNames = 20;
inline constexpr std::size_t kMaxToldBytes = 64;  // of one

// Without control characters, "…" where something was cut.
std::string told_name(std::string_view name);

// "a, b, c", or the first of them: "a, b, c and 7 more".
std::string told_names(const std::vector<std::string>& names);

}  // namespace parley::orchestration::tools
