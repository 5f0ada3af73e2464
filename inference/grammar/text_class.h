#pragma once
// Kinds of text that grammars often let follow, whatever it says: the tokens that are made of nothing else
// need not be tried one by one. Constants and pure functions, any thread; never fails.

#include <array>
#include <cstdint>
#include <string_view>

#include "inference/grammar/byte_set.h"
#include "inference/grammar/code_point_set.h"

namespace parley::inference::grammar {

enum class TextClass : std::uint8_t {
  unmarked,  // any bytes but those with which tool calls and the like begin: < { [ `
  safe,  // valid UTF-8 of whole characters that may stand in a JSON string as they are: none below U+0020,
         // no quotation mark, backslash, U+007F, U+2028 or U+2029 (line ends, which `.` does not take)
  unspaced,  // safe, but no white space
  plain,     // safe, and of ASCII only letters, digits and the space
  phrase,    // letters of ASCII and the space
  address,   // what most parts of a URI are written with: letters and digits of ASCII, -._~!$&'()*+,;=:/
  words,     // letters and digits of ASCII, and _
  letters,   // of ASCII
  lower,     // small letters of ASCII
};
inline constexpr std::size_t kNumTextClasses = 9;
inline constexpr std::array<TextClass, kNumTextClasses> kTextClasses = {
    TextClass::unmarked, TextClass::safe,  TextClass::unspaced, TextClass::plain, TextClass::phrase,
    TextClass::address,  TextClass::words, TextClass::letters,  TextClass::lower};

// Sets of classes, a bit each.
using TextClasses = std::uint16_t;
inline constexpr TextClasses kAllTextClasses = (1u << kNumTextClasses) - 1;
constexpr TextClasses bit_of(TextClass text) {
  return static_cast<TextClasses>(1u << static_cast<unsigned>(text));
}

// The classes that `text` is wholly of. All of them for an empty one.
TextClasses classes_of(std::string_view text);

// The bytes that texts of the class are written with.
const ByteSet& bytes_of(TextClass text);
// The characters of the class; of `unmarked`, which is one of bytes, none.
const CodePointSet& characters_of(TextClass text);

}  // namespace parley::inference::grammar
