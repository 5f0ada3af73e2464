#pragma once
// JSON strings as lexemes, quotation marks included. Immutable, any thread, never fails.

#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "inference/grammar/lexeme.h"
#include "inference/grammar/table_lexeme.h"

namespace parley::inference::grammar {

inline constexpr std::uint32_t kNoMaxLength = std::numeric_limits<std::uint32_t>::max();

// In characters, an escaped one counts as one.
struct LengthRange {
  std::uint32_t min = 0;
  std::uint32_t max = kNoMaxLength;
};
// Longest lengths that are counted.
inline constexpr std::uint32_t kMaxCountedLength = 1u << 24;

// The inside of any JSON string, all legal escapes.
std::shared_ptr<const TableLexeme> any_string_content();
// `length` within kMaxCountedLength, and its minimum not above its maximum.
std::shared_ptr<const Lexeme> make_sized_content(LengthRange length);

// `content` never contains a quotation mark as such.
std::shared_ptr<const Lexeme> make_quoted(std::shared_ptr<const Lexeme> content);

// A string as JSON text in its shortest spelling, which has \t and its like where there is one.
std::string shortest_spelling(std::string_view text);

// Any string in its shortest spelling (so that equal strings have equal bytes), except for some. The given
// ones are spelled like that too, with their quotation marks.
std::shared_ptr<const Lexeme> make_string_except(std::span<const std::string> quoted);
// Null: any string.
std::shared_ptr<const Lexeme> make_string_except(std::shared_ptr<const TableLexeme> quoted);

}  // namespace parley::inference::grammar
