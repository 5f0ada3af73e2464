#pragma once
// Free text up to a marker: any bytes and control tokens, until one of some byte strings, or a control token
// of such a name, has been read. Immutable, any thread, never fails.

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "inference/grammar/lexeme.h"

namespace parley::inference::grammar {

enum class FreeTextEnd : std::uint8_t {
  at_marker,  // the text ends with its first marker
  anywhere,   // as well, with the tag kNoTag, as long as there was no marker
};

// The tag is the index of the marker, the longest of those that end together. No marker must be empty; none
// at all means that nothing ends the text. The tokens of their names are looked up in `vocabulary`.
std::shared_ptr<const Lexeme> make_until(std::vector<std::string> markers, FreeTextEnd end,
                                         const VocabularyIndex& vocabulary);

// The control token of that name, or the user-defined one; its bytes where there is none. A model is trained
// on the token, and the parser of calls looks for it.
std::shared_ptr<const Lexeme> make_marker(const std::string& name, const VocabularyIndex& vocabulary);

}  // namespace parley::inference::grammar
