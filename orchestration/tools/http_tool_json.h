#pragma once
// JSON for a model to read: the same values in fewer bytes. A plain function, any thread; never fails.
// Linear.

#include <string>
#include <string_view>

namespace parley::orchestration::tools {

// Without white space between values and with characters in place of \u escapes; numbers keep their digits
// (an 1000000.0 does not become 1e+06). What is not valid JSON comes back as it is.
std::string compact_json(std::string_view text);

}  // namespace parley::orchestration::tools
