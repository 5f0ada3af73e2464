#pragma once
// Text of a stranger, made fit to be shown: valid UTF-8 without escape sequences and control characters. A
// plain function, any thread; never fails.

#include <cstddef>
#include <string>
#include <string_view>

namespace parley::orchestration::mcp {

// Newlines and tabs stay. Terminal escape sequences go as a whole (CSI, OSC), other control characters, C1
// ones and the bidirectional overrides included, one by one; "\r\n" becomes "\n".
std::string plain_text(std::string_view text);

// The same on one line, cut to `max_bytes` at a character with "…" where something was cut.
std::string plain_line(std::string_view text, std::size_t max_bytes);

}  // namespace parley::orchestration::mcp
