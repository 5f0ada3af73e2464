#include "orchestration/tools/glob.h"

#include <algorithm>
#include <limits>

namespace parley::orchestration::tools {

bool glob_matches(std::string_view pattern, std::string_view name) {
  std::size_t p = 0;
  std::size_t star = std::string_view::npos;  // the last * seen; it has taken the name up to `taken`
  std::size_t taken = 0;
  for (std::size_t n = 0; n < name.size();) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      taken = n;
    } else if (p < pattern.size() && (pattern[p] == '?' || pattern[p] == name[n])) {
      ++p;
      ++n;
    } else if (star != std::string_view::npos) {
      p = star + 1;
      n = ++taken;
    } else {
      return false;
    }
  }
  return pattern.find_first_not_of('*', p) == std::string_view::npos;
}

std::size_t glob_specificity(std::string_view pattern) {
  const auto wildcards =
      std::count_if(pattern.begin(), pattern.end(), [](char c) { return c == '*' || c == '?'; });
  if (wildcards == 0) return std::numeric_limits<std::size_t>::max();
  return pattern.size() - static_cast<std::size_t>(wildcards);
}

bool is_wanted(std::string_view name, const std::vector<std::string>& include,
               const std::vector<std::string>& exclude) {
  const auto matches = [name](const std::string& pattern) { return glob_matches(pattern, name); };
  if (std::any_of(exclude.begin(), exclude.end(), matches)) return false;
  return include.empty() || std::any_of(include.begin(), include.end(), matches);
}

}  // namespace parley::orchestration::tools
