#pragma once
// The Unicode categories that pre-tokenizers tell apart, in a table built from ICU's data (about 40 kB).
// Immutable after construction, any thread, never fails.

#include <array>
#include <cstdint>
#include <vector>

namespace parley::inference::tokenizer {

enum class CharacterKind : std::uint8_t {
  other,    // everything that follows does not hold; bytes outside any character too
  letter,   // general category L*
  number,   // general category N*
  space,    // property White_Space, line feed and carriage return apart
  newline,  // line feed, carriage return
  none,     // the text is over; the table never gives it
};

class CharacterTable {
 public:
  CharacterTable();

  // Takes also the values past U+10FFFF that stand for invalid bytes.
  CharacterKind kind(char32_t code_point) const {
    if (code_point >= kNumCodePoints) return CharacterKind::other;
    return blocks_[block_index_[code_point / kBlockSize]][code_point % kBlockSize];
  }

 private:
  static constexpr char32_t kNumCodePoints = 0x110000;
  static constexpr char32_t kBlockSize = 256;
  using Block = std::array<CharacterKind, kBlockSize>;

  std::array<std::uint16_t, kNumCodePoints / kBlockSize> block_index_;
  std::vector<Block> blocks_;  // distinct ones
};

}  // namespace parley::inference::tokenizer
