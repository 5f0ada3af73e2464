#pragma once
// The characters of a pattern while it is parsed, and what a backslash in it stands for. One object per
// parse, one thread. The first failure is kept; nothing throws.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "inference/grammar/code_point_set.h"

namespace parley::inference::grammar {

class RegexInput {
 public:
  explicit RegexInput(std::u32string text) : text_(std::move(text)) {}

  bool done() const { return position_ >= text_.size(); }
  std::size_t position() const { return position_; }
  void reset(std::size_t position) { position_ = position; }

  // 0 behind the end.
  char32_t peek(std::size_t ahead = 0) const;
  bool take(char32_t c);
  char32_t take_any();
  // Digits, at most `limit`. A larger number, or none, is nullopt.
  std::optional<int> take_number(int limit);
  // Exactly so many hexadecimal digits, else nullopt.
  std::optional<char32_t> take_hex(int num_digits);

  void fail(std::string_view problem);
  // A sentence.
  const std::optional<std::string>& error() const { return error_; }

 private:
  std::u32string text_;
  std::size_t position_ = 0;
  std::optional<std::string> error_;
};

enum class EscapePlace : std::uint8_t { in_class, outside_class };

// What stands behind a backslash that has been taken.
CodePointSet take_escape(RegexInput& input, EscapePlace place);

// What `.` means.
CodePointSet any_but_line_ends();
// What `\s` means: WhiteSpace and LineTerminator of ECMA-262.
const CodePointSet& ecma_white_space();

}  // namespace parley::inference::grammar
