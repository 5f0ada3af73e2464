#pragma once
// Markers as they are generated: bytes, and where the vocabulary has tokens of such names, those tokens, each
// of which counts as one symbol. A model is trained on the token, and the parser of calls looks for it.
// Immutable, any thread, never fails.

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "inference/grammar/lexeme.h"

namespace parley::inference::grammar {

struct MarkupSymbol {
  enum class Kind : std::uint8_t {
    byte,
    control,  // a control token
    named,    // a user-defined token, which text is not tokenized to
  };
  Kind kind = Kind::byte;
  std::int32_t value = 0;  // the byte, or the token
  friend bool operator==(const MarkupSymbol&, const MarkupSymbol&) = default;
};

using Markup = std::vector<MarkupSymbol>;

// A marker of a family: names of tokens may stand anywhere in it.
Markup markup_of(std::string_view marker, const VocabularyIndex& vocabulary);
// Text in which no name counts.
Markup markup_of_text(std::string_view text);
Markup joined(std::span<const Markup> parts);

struct TaggedMarkup {
  Markup markup;
  int tag = 0;  // not below 0; further spellings have the same
};

// One of them, which must not be none, then at most `max_space` white-space characters of JSON; the tag tells
// which, the first among equals. Where two go on with different user-defined tokens, only one of those can
// come.
std::shared_ptr<const Lexeme> make_markups(std::span<const TaggedMarkup> markups, std::uint32_t max_space);
std::shared_ptr<const Lexeme> make_markup(Markup markup, std::uint32_t max_space);

// `before`, any name of A-Z a-z 0-9 _ - . but those, `behind` (which does not begin with such a character),
// and white space.
std::shared_ptr<const Lexeme> make_other_names(const Markup& before, std::span<const std::string> except,
                                               const Markup& behind, std::uint32_t max_space);
bool is_plain_name(std::string_view name);

}  // namespace parley::inference::grammar
