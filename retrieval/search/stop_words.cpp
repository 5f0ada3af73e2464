#include "retrieval/search/stop_words.h"

#include <algorithm>
#include <array>

namespace parley::retrieval::search {
namespace {

// Sorted.
constexpr auto kStopWords = std::to_array<std::string_view>(
    {"a",    "about", "am",     "an",    "and",     "another",    "any",       "anything", "are",   "aren",
     "as",   "at",    "be",     "been",  "between", "but",        "by",        "can",      "could", "d",
     "did",  "do",    "does",   "doesn", "don",     "everything", "for",       "from",     "get",   "had",
     "has",  "have",  "how",    "i",     "if",      "in",         "into",      "is",       "isn",   "it",
     "its",  "just",  "like",   "ll",    "m",       "make",       "many",      "me",       "much",  "my",
     "need", "no",    "not",    "of",    "on",      "one",        "only",      "or",       "other", "re",
     "s",    "same",  "should", "so",    "some",    "someone",    "something", "such",     "t",     "than",
     "that", "the",   "their",  "them",  "then",    "there",      "these",     "they",     "this",  "through",
     "to",   "use",   "used",   "using", "ve",      "very",       "want",      "was",      "way",   "we",
     "were", "what",  "when",   "where", "whether", "which",      "while",     "who",      "why",   "will",
     "with", "would", "you",    "your"});
static_assert(std::is_sorted(kStopWords.begin(), kStopWords.end()));

}  // namespace

bool is_stop_word(std::string_view word) {
  return std::binary_search(kStopWords.begin(), kStopWords.end(), word);
}

}  // namespace parley::retrieval::search
