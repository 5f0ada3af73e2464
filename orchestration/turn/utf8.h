#pragma once
// Characters in UTF-8 text (RFC 3629). Pure functions, any thread, never fail.

#include <cstddef>
#include <optional>
#include <string_view>

namespace parley::orchestration::turn {

struct Character {
  char32_t code = 0;
  std::size_t bytes = 0;
};

// The character that begins at `offset` (< size); none where the bytes are no valid UTF-8.
std::optional<Character> character_at(std::string_view text, std::size_t offset);

bool is_valid_utf8(std::string_view text);

// Whether valid text may be cut at `offset`: not inside a character, and not behind the end.
bool is_character_border(std::string_view text, std::size_t offset);

}  // namespace parley::orchestration::turn
