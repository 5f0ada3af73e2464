#pragma once
// The escapes of ECMA-262's regular expressions (\d, \u0041, \p{Letter}) in the words of PCRE2. Pure, any
// thread.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace parley::inference::json_schema {

struct TranslatedEscape {
  std::string pcre;
  std::size_t bytes = 0;   // of the escape that was read
  bool is_single = false;  // one character, so that it may begin or end a range
};

enum class EscapeIn : std::uint8_t { pattern, character_class };

// `text` begins with the backslash. Nullopt: not an escape of ECMA-262. Assertions and references to groups
// are the caller's.
std::optional<TranslatedEscape> translate_escape(std::string_view text, EscapeIn where);

// Letters, digits and _, at most 32, no digit first: what both languages allow.
bool is_group_name(std::string_view name);

}  // namespace parley::inference::json_schema
