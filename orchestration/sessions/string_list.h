#pragma once
// A list of strings as one text of the database: a JSON array. Pure functions, any thread, never fail.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace parley::orchestration::sessions {

// Bytes that are not UTF-8 become U+FFFD.
std::string encode_strings(const std::vector<std::string>& strings);

// None: it is no array of strings.
std::optional<std::vector<std::string>> decode_strings(std::string_view text);

}  // namespace parley::orchestration::sessions
