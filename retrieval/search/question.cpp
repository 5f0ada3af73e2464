#include "retrieval/search/question.h"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "retrieval/index/text_units.h"
#include "retrieval/search/stop_words.h"

namespace parley::retrieval::search {
namespace {

using index::TextUnit;
using index::UnitKind;

// Longer questions are documents: FTS5 bears no more, and their first words say enough.
constexpr std::size_t kMaxTerms = 48;

struct Quotes {
  std::string_view open, close;
};
constexpr std::array<Quotes, 4> kQuotes = {{{"\"", "\""}, {"“", "”"}, {"«", "»"}, {"„", "“"}}};

struct QuotedPart {
  std::string_view before, inside, after;
};

// The first quoted part, if what is quoted are two words or more: one word alone is a term like others.
bool find_quoted(std::string_view text, QuotedPart& part) {
  for (const Quotes& quotes : kQuotes) {
    const std::size_t open = text.find(quotes.open);
    if (open == std::string_view::npos) continue;
    const std::size_t begin = open + quotes.open.size();
    const std::size_t close = text.find(quotes.close, begin);
    if (close == std::string_view::npos) continue;
    part = {text.substr(0, open), text.substr(begin, close - begin),
            text.substr(close + quotes.close.size())};
    return true;
  }
  return false;
}

bool has_digit(std::string_view word) {
  return std::any_of(word.begin(), word.end(), [](char c) { return c >= '0' && c <= '9'; });
}

struct Shape {
  int words = 0;        // that say something
  int identifiers = 0;  // and numbers
  int phrases = 0;
  int stop_words = 0;
};

class QuestionReader {
 public:
  void read(std::string_view text) {
    QuotedPart quoted;
    if (!find_quoted(text, quoted)) return read_words(text);
    read(quoted.before);
    if (index::text_units(quoted.inside).size() > 1) {
      phrases_.emplace_back(quoted.inside);
      ++shape_.phrases;
    }
    read_words(quoted.inside, !phrases_.empty() && phrases_.back() == quoted.inside);
    read(quoted.after);
  }

  AnalysedQuestion take() {
    AnalysedQuestion question;
    if (terms_.empty() && phrase_terms_.empty()) terms_ = stop_terms_;
    question.query = {.terms = terms_, .phrases = phrases_};
    question.without_phrases.terms = terms_;
    for (const std::string& term : phrase_terms_) add(question.without_phrases.terms, term);
    question.text_weight = text_weight();
    return question;
  }

 private:
  static void add(std::vector<std::string>& terms, std::string_view term) {
    const bool known = std::find(terms.begin(), terms.end(), term) != terms.end();
    if (!known && terms.size() < kMaxTerms) terms.emplace_back(term);
  }

  void read_words(std::string_view text, bool in_phrase = false) {
    for (const TextUnit& unit : index::text_units(text)) {
      // An identifier as it is written, so that its humps are known.
      const std::string_view term = unit.kind == UnitKind::word ? std::string_view(unit.words[0]) : unit.text;
      if (unit.kind == UnitKind::word && is_stop_word(unit.words[0])) {
        ++shape_.stop_words;
        add(stop_terms_, term);
        continue;
      }
      ++shape_.words;
      if (unit.kind == UnitKind::identifier || has_digit(unit.text)) ++shape_.identifiers;
      add(in_phrase ? phrase_terms_ : terms_, term);
    }
  }

  double text_weight() const {
    double weight = 0.4;
    if (shape_.phrases > 0) weight += 0.2;
    if (shape_.identifiers > 0) weight += 0.15;
    if (shape_.words <= 2 && shape_.stop_words == 0) weight += 0.1;
    return std::min(weight, 0.8);
  }

  std::vector<std::string> terms_, stop_terms_, phrases_, phrase_terms_;
  Shape shape_;
};

}  // namespace

AnalysedQuestion analyse_question(std::string_view question) {
  QuestionReader reader;
  reader.read(question);
  return reader.take();
}

}  // namespace parley::retrieval::search
