#pragma once
// Regular expressions as JSON Schema uses them (ECMA-262 with the `u` flag, less what is not regular), as a
// tree. Pure, any thread. What is not supported, or not well-formed, is an error value that names the
// construct and its place.
//
// Supported: literals, `.`, classes, \d \D \w \W \s \S, \t \n \r \f \v \0 \cX \xHH \uHHHH \u{H…}, surrogate
// pairs, escaped punctuation, groups (captured, (?:…), (?<name>…)), |, * + ? {m} {m,} {m,n}, lazy forms (the
// language is the same), ^ and $. Not: lookaround, backreferences, \b \B, \p{…}, flags.

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "inference/grammar/code_point_set.h"

namespace parley::inference::grammar {

struct RegexNode {
  enum class Kind : std::uint8_t { characters, concatenation, alternation, repetition, begin, end };
  static constexpr int kNoLimit = -1;

  Kind kind = Kind::concatenation;  // without children: the empty string
  CodePointSet characters;
  std::vector<RegexNode> children;
  int min = 0;  // of a repetition, whose operand is the only child
  int max = kNoLimit;
};

struct RegexError {
  std::string message;  // a sentence
};

// At most 64 groups deep, 16 kB long.
std::variant<RegexNode, RegexError> parse_regex(std::string_view pattern);

}  // namespace parley::inference::grammar
