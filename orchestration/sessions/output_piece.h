#pragma once
// A piece of the text that a tool gave. Plain values, pure functions, any thread, never fail.

#include <cstddef>
#include <string>

namespace parley::orchestration::sessions {

struct OutputPiece {
  std::string message;     // whose call it was
  std::size_t offset = 0;  // bytes before `text`: what was asked for, or behind the character it stood in
  std::string text;        // whole characters
  std::size_t bytes = 0;   // of the whole text
};

// Fewer bytes at once could be less than a character.
inline constexpr std::size_t kMinPieceBytes = 16;

// Leaves out the parts of characters at both ends of `piece.text`, which was cut at any byte.
void keep_whole_characters(OutputPiece& piece);

}  // namespace parley::orchestration::sessions
