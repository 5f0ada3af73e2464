#pragma once
// UTF-8 one character at a time, and the cleaning of text that formats hand out. Pure functions, any thread;
// nothing fails: what is no character becomes U+FFFD.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace parley::retrieval::documents {

inline constexpr char32_t kReplacementCharacter = 0xFFFD;

// Surrogates and what lies above U+10FFFF are written as U+FFFD, U+0000 not at all.
void put_code_point(std::string& out, char32_t code_point);

// The character at `position` (< text.size()), which moves behind it; a broken byte counts as one character.
char32_t take_code_point(std::string_view text, std::size_t& position);

enum class Spacing : std::uint8_t {
  collapse,  // runs of spaces and tabs become one space; lines are trimmed, empty ones left out
  keep,      // of code: only line ends and what trails them are put in order
};

// Valid UTF-8 with '\n' as the only line end; control characters, soft hyphens, byte order marks and zero
// width spaces are dropped, all kinds of spaces become ' '. No white space at either end (at the end only for
// `keep`, where empty lines in front go too).
std::string cleaned_text(std::string_view text, Spacing spacing);

// UTF-16 with the byte order given; an odd byte at the end is dropped.
enum class ByteOrder : std::uint8_t { little, big };
std::string utf8_from_utf16(std::string_view bytes, ByteOrder order);

// Letters of the scripts that are written without spaces between words.
bool is_unspaced_script(char32_t code_point);

}  // namespace parley::retrieval::documents
