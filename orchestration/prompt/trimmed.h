#pragma once
// Pure function, any thread, never fails.

#include <string_view>

namespace parley::orchestration::prompt {

// Without white space of ASCII at both ends.
inline std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kSpace = " \t\r\n";
  const std::size_t begin = text.find_first_not_of(kSpace);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kSpace) + 1 - begin);
}

}  // namespace parley::orchestration::prompt
