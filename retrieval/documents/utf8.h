#pragma once
// UTF-8 as the Unicode standard defines it (no overlong forms, no surrogates, nothing above U+10FFFF). Pure
// functions, any thread.

#include <cstddef>
#include <string>
#include <string_view>

namespace parley::retrieval::documents {

// Bytes of the well-formed character at `at`, 1 to 4; 0: what is there is none.
std::size_t utf8_length_at(std::string_view text, std::size_t at);
bool is_valid_utf8(std::string_view text);
// A value that is no character (a surrogate, beyond U+10FFFF) becomes U+FFFD.
void append_code_point(std::string& text, char32_t value);
// Each byte that belongs to no character becomes U+FFFD.
std::string repaired_utf8(std::string_view text);

}  // namespace parley::retrieval::documents
