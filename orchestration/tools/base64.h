#pragma once
// Base64 (RFC 4648, section 4, with padding). Pure, any thread. What is not base64 is nullopt.

#include <optional>
#include <string>
#include <string_view>

namespace parley::orchestration::tools {

std::string to_base64(std::string_view bytes);
// Line breaks and spaces are skipped, padding may be missing, nothing else is let pass.
std::optional<std::string> from_base64(std::string_view text);

}  // namespace parley::orchestration::tools
