#pragma once
// Base64 of RFC 4648, section 4. Plain functions, any thread.

#include <optional>
#include <string>
#include <string_view>

namespace parley::orchestration::mcp {

std::string to_base64(std::string_view bytes);

// Line breaks and missing padding are allowed; nullopt for anything else that is wrong.
std::optional<std::string> from_base64(std::string_view text);

}  // namespace parley::orchestration::mcp
