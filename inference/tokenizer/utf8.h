#pragma once
// UTF-8 taken apart without losing a byte: well-formed characters, and what is not one.
// Pure functions, any thread, never fail. Well-formed is what table 3-7 of the Unicode Standard allows.

#include <cstddef>
#include <string>
#include <string_view>

namespace parley::inference::tokenizer {

enum class Utf8Kind {
  character,   // a whole well-formed character
  unfinished,  // the text ends inside a character that is well-formed so far
  invalid,     // a maximal part that begins no well-formed character (what one U+FFFD stands for)
};

struct Utf8Part {
  Utf8Kind kind = Utf8Kind::invalid;
  std::size_t length = 0;   // in bytes, at least 1
  char32_t code_point = 0;  // of a character
};

// The first part of `text`, which must not be empty.
Utf8Part first_utf8_part(std::string_view text);

// A byte outside any character stands as kInvalidByte + its value: past every code point, so that a sequence
// of these "code points" writes back to the same bytes.
inline constexpr char32_t kInvalidByte = 0x110000;

struct Utf8Character {
  char32_t code_point = 0;  // or kInvalidByte + a byte
  std::size_t length = 0;
};

// The first character of `text`, or its first byte if that begins none. `text` must not be empty.
Utf8Character first_character(std::string_view text);

// Writes what first_character() read.
void append_utf8(std::string& out, char32_t code_point);

bool is_valid_utf8(std::string_view text);

// Whether well-formed text may be cut at `offset`: not inside a character, and not behind the end.
bool is_character_border(std::string_view text, std::size_t offset);

}  // namespace parley::inference::tokenizer
