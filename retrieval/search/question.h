#pragma once
// What a question says about how to look for its answer. Pure, any thread.

#include <string_view>

#include "retrieval/index/stored_document.h"

namespace parley::retrieval::search {

struct AnalysedQuestion {
  index::TextQuery query;
  // The same without phrases that must be there whole: their words are terms. For when nothing has them.
  index::TextQuery without_phrases;
  // What full text counts in the fusion, 0 to 1; vectors count the rest. Names, numbers and quotes are what
  // full text is good at; sentences in everyday words are what vectors are good at.
  double text_weight = 0.5;
};

AnalysedQuestion analyse_question(std::string_view question);

}  // namespace parley::retrieval::search
