#pragma once
// Finds the names of tokens in text: leftmost first, of those the longest, none overlapping.
// Immutable after construction, any thread, never fails. Linear in the text for any names.

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "inference/tokenizer/byte_matcher.h"
#include "inference/tokenizer/tokenizer.h"

namespace parley::inference::tokenizer {

class SpecialMatcher {
 public:
  struct Match {
    std::size_t begin = 0;
    std::size_t end = 0;
    TokenId token = 0;
  };

  // Empty names are never found.
  explicit SpecialMatcher(const std::vector<std::pair<std::string, TokenId>>& names);

  // Ascending.
  std::vector<Match> find(std::string_view text) const;

 private:
  ByteMatcher reversed_names_;
  std::vector<TokenId> tokens_;  // by pattern
};

}  // namespace parley::inference::tokenizer
