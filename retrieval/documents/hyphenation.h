#pragma once
// Joins lines to running text. A hyphen at a line's end is part of the word ("well-known") or was put there
// to break it ("manip-ulation"); the rest of the document tells. Any thread once all words are in.

#include <string>
#include <string_view>
#include <unordered_set>

namespace parley::retrieval::documents {

class Hyphenation {
 public:
  void learn(std::string_view line);
  // Appends `line` to `text`: after a space, without one in scripts that have none, or with the broken word
  // made whole.
  void join(std::string& text, std::string_view line) const;

 private:
  std::unordered_set<std::string> words_;  // lower case
};

}  // namespace parley::retrieval::documents
