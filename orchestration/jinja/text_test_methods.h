#pragma once
// str.isdigit() and its like: properties of whole texts that both methods and tests (`is lower`) ask for.
// Pure functions, any thread, never fail.

#include <string_view>

namespace parley::orchestration::jinja {

bool is_lower_text(std::string_view text);  // str.islower()
bool is_upper_text(std::string_view text);  // str.isupper()

}  // namespace parley::orchestration::jinja
