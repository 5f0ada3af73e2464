#pragma once
// Text from a file as it may be shown on a terminal or in a log. Pure, any thread. Never fails.

#include <string>
#include <string_view>

namespace parley::inference::formats {

// In single quotes, cut after 80 bytes; control characters, quotes and non-ASCII bytes as \xNN.
std::string shown_name(std::string_view name);

}  // namespace parley::inference::formats
