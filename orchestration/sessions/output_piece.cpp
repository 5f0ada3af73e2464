#include "orchestration/sessions/output_piece.h"

#include <algorithm>

namespace parley::orchestration::sessions {
namespace {

constexpr std::size_t kMaxCharacterBytes = 4;

bool continues_character(char byte) { return (static_cast<unsigned char>(byte) & 0xc0) == 0x80; }

// Bytes of the character that `byte` begins.
std::size_t character_bytes(char byte) {
  const auto bits = static_cast<unsigned char>(byte);
  if (bits < 0xc0) return 1;
  if (bits < 0xe0) return 2;
  return bits < 0xf0 ? 3 : kMaxCharacterBytes;
}

// Bytes at the end that begin a character and do not end it.
std::size_t unfinished_bytes(const std::string& text) {
  for (std::size_t back = 1; back <= std::min(kMaxCharacterBytes - 1, text.size()); ++back) {
    const char byte = text[text.size() - back];
    if (!continues_character(byte)) return character_bytes(byte) > back ? back : 0;
  }
  return 0;
}

}  // namespace

void keep_whole_characters(OutputPiece& piece) {
  std::size_t inside = 0;
  while (piece.offset > 0 && inside < kMaxCharacterBytes - 1 && inside < piece.text.size() &&
         continues_character(piece.text[inside]))
    ++inside;
  piece.text.erase(0, inside);
  piece.offset += inside;
  const bool is_end = piece.offset + piece.text.size() >= piece.bytes;
  if (!is_end) piece.text.resize(piece.text.size() - unfinished_bytes(piece.text));
}

}  // namespace parley::orchestration::sessions
