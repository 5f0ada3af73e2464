#pragma once
// Code points as Python's str sees them: UTF-8 in and out, whitespace, letter case, printability.
// Pure functions, any thread. A byte that is not valid UTF-8 counts as one code point (kInvalid + byte),
// never an error.

#include <cstddef>
#include <string>
#include <string_view>

#include "inference/tokenizer/utf8.h"

namespace parley::orchestration::jinja {

// Above every code point; kInvalid + byte stands for a byte that is not part of valid UTF-8.
inline constexpr char32_t kInvalid = inference::tokenizer::kInvalidByte;

struct CodePoint {
  char32_t value = 0;
  std::size_t size = 0;  // bytes
};

// Requires at < text.size().
CodePoint code_point_at(std::string_view text, std::size_t at);
std::size_t count_code_points(std::string_view text);
// Byte offset of code point `index`; text.size() when there are not so many.
std::size_t offset_of_code_point(std::string_view text, std::size_t index);
using inference::tokenizer::append_utf8;

bool is_space(char32_t code_point);
bool is_ascii_digit(char32_t code_point);
bool is_letter(char32_t code_point);
bool is_digit(char32_t code_point);
bool is_upper(char32_t code_point);
bool is_lower(char32_t code_point);
bool is_printable(char32_t code_point);

enum class LetterCase : unsigned char { upper, lower, title };
void append_in_case(std::string& out, char32_t code_point, LetterCase letter_case);

// Whether the capital sigma at `at` ends a word, so that its small form is U+03C2 (Unicode's Final_Sigma).
bool is_final_sigma(std::string_view text, std::size_t at);

// Where the code point that ends at `end` starts; requires begin < end.
std::size_t start_of_last(std::string_view text, std::size_t begin, std::size_t end);

// First byte that is not whitespace; and the end of the last one, at or after `begin`.
std::size_t skip_spaces(std::string_view text, std::size_t at);
std::size_t trimmed_end(std::string_view text, std::size_t begin);

// Where `needle` begins in `text`, at or after `from`; npos when nowhere. Linear for any input.
std::size_t find_bytes(std::string_view text, std::string_view needle, std::size_t from);

}  // namespace parley::orchestration::jinja
