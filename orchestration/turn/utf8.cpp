#include "orchestration/turn/utf8.h"

#include <cstdint>

#include "inference/tokenizer/utf8.h"

namespace parley::orchestration::turn {

namespace tokenizer = inference::tokenizer;

std::optional<Character> character_at(std::string_view text, std::size_t offset) {
  const tokenizer::Utf8Character character = tokenizer::first_character(text.substr(offset));
  if (character.code_point >= tokenizer::kInvalidByte) return std::nullopt;
  return Character{character.code_point, character.length};
}

bool is_valid_utf8(std::string_view text) { return tokenizer::is_valid_utf8(text); }

bool is_character_border(std::string_view text, std::size_t offset) {
  if (offset >= text.size()) return offset == text.size();
  return (static_cast<std::uint8_t>(text[offset]) & 0xc0) != 0x80;
}

}  // namespace parley::orchestration::turn
