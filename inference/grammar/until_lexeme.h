#pragma once
// Free text up to a marker: any bytes and control tokens, until one of some markers has been read. Those in
// whose text control tokens have their names end it as bytes and with the tokens. Immutable, any thread,
// never fails.

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "inference/grammar/lexeme.h"

namespace parley::inference::grammar {

enum class FreeTextEnd : std::uint8_t {
  at_marker,  // the text ends with its first marker
  anywhere,   // as well, with the tag kNoTag, as long as there was no marker
};

struct UntilMarker {
  enum class Place : std::uint8_t { anywhere, at_start };
  std::string text;  // not empty
  Place place = Place::anywhere;
};

// The tag is the index of the marker, the longest of those that end together. No marker at all means that
// nothing ends the text.
std::shared_ptr<const Lexeme> make_until(const std::vector<UntilMarker>& markers, FreeTextEnd end,
                                         const VocabularyIndex& vocabulary);
std::shared_ptr<const Lexeme> make_until(const std::vector<std::string>& markers, FreeTextEnd end,
                                         const VocabularyIndex& vocabulary);

// The marker as it is generated (markup.h).
std::shared_ptr<const Lexeme> make_marker(std::string_view marker, const VocabularyIndex& vocabulary);

}  // namespace parley::inference::grammar
