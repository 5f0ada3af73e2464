#pragma once
// Text of a stranger, made fit to be shown: valid UTF-8 without escape sequences and control characters, and
// not too long. Plain functions, any thread; never fails.

#include <cstddef>
#include <string>
#include <string_view>

namespace parley::orchestration::mcp {

// Newlines and tabs stay, a carriage return is a newline, and one with it. Terminal sequences of ECMA-48 go
// as a whole, also those that begin with a C1 control, other control characters and the bidirectional
// overrides one by one. What is no UTF-8 becomes U+FFFD. Linear.
std::string plain_text(std::string_view text);

// The same on one line, cut to `max_bytes` at a character with "…" where something was cut.
std::string plain_line(std::string_view text, std::size_t max_bytes);

// The begin or the end of a text in UTF-8, of at most so many bytes: whole characters.
std::string_view head_of(std::string_view text, std::size_t max_bytes);
std::string_view tail_of(std::string_view text, std::size_t max_bytes);

}  // namespace parley::orchestration::mcp
