#pragma once
// Cuts RTF (1.9.1) into its tokens. One thread; never reads past the end, nothing fails.

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace parley::retrieval::documents {

struct RtfToken {
  enum class Kind : std::uint8_t {
    group_begin,
    group_end,
    word,    // \par, \fs24: `text` without backslash and number
    symbol,  // \~, \*: `text` is the character
    byte,    // \'e4, or plain text: `number` is the byte
    end,     // of the input
  };
  Kind kind = Kind::end;
  std::string_view text;
  int number = 0;
  bool has_number = false;
};

class RtfTokens {
 public:
  explicit RtfTokens(std::string_view bytes) : bytes_(bytes) {}
  RtfToken next();
  bool is_at_end() const { return position_ >= bytes_.size(); }

 private:
  RtfToken control();

  std::string_view bytes_;
  std::size_t position_ = 0;
};

}  // namespace parley::retrieval::documents
