#pragma once
// What errno says, in words. Any thread.

#include <cerrno>
#include <string>
#include <system_error>

namespace parley::orchestration::tools {

inline std::string last_error_words() { return std::error_code(errno, std::generic_category()).message(); }

}  // namespace parley::orchestration::tools
