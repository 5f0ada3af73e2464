#pragma once
// Any text but some: the language in which some strings never stand, and others not at the beginning.
// Immutable, any thread, never fails.

#include <memory>
#include <string>
#include <vector>

#include "inference/grammar/lexeme.h"

namespace parley::inference::grammar {

// Each is banned in every spelling: by the bytes of ordinary tokens, and by the control token of that name.
// Empty strings are ignored.
struct BannedText {
  std::vector<std::string> openings;  // the text does not begin with one, nor with white space and then one
  std::vector<std::string> anywhere;
};

// May end anywhere.
std::shared_ptr<const Lexeme> make_banned_text(BannedText banned, const VocabularyIndex& vocabulary);

}  // namespace parley::inference::grammar
