#include "inference/tokenizer/character_table.h"

#include <gtest/gtest.h>
#include <unicode/uchar.h>

#include "inference/tokenizer/utf8.h"

namespace parley::inference::tokenizer {
namespace {

// The definition, asked one character at a time.
CharacterKind kind_by_definition(UChar32 code_point) {
  if (code_point == '\n' || code_point == '\r') return CharacterKind::newline;
  if (u_isUWhiteSpace(code_point)) return CharacterKind::space;
  const std::uint32_t mask = U_GET_GC_MASK(code_point);
  if ((mask & U_GC_L_MASK) != 0) return CharacterKind::letter;
  if ((mask & U_GC_N_MASK) != 0) return CharacterKind::number;
  return CharacterKind::other;
}

TEST(CharacterTable, agrees_with_the_definition_on_every_code_point) {
  const CharacterTable table;
  for (UChar32 code_point = 0; code_point < 0x110000; ++code_point) {
    ASSERT_EQ(table.kind(static_cast<char32_t>(code_point)), kind_by_definition(code_point)) << code_point;
  }
}

TEST(CharacterTable, marks_and_invalid_bytes_are_neither_letters_nor_numbers) {
  const CharacterTable table;
  EXPECT_EQ(table.kind(0x301), CharacterKind::other);
  for (char32_t byte = 0x80; byte <= 0xFF; ++byte) {
    EXPECT_EQ(table.kind(kInvalidByte + byte), CharacterKind::other);
  }
  EXPECT_EQ(table.kind(0xFFFFFFFF), CharacterKind::other);
}

}  // namespace
}  // namespace parley::inference::tokenizer
