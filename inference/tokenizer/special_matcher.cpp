#include "inference/tokenizer/special_matcher.h"

namespace parley::inference::tokenizer {
namespace {

std::vector<std::string> reversed(const std::vector<std::pair<std::string, TokenId>>& names) {
  std::vector<std::string> result;
  result.reserve(names.size());
  for (const auto& [name, token] : names) result.emplace_back(name.rbegin(), name.rend());
  return result;
}

}  // namespace

SpecialMatcher::SpecialMatcher(const std::vector<std::pair<std::string, TokenId>>& names)
    : reversed_names_(reversed(names)) {
  tokens_.reserve(names.size());
  for (const auto& [name, token] : names) tokens_.push_back(token);
}

// Read from the end, the longest reversed name that ends at a byte is the longest name that begins there. So
// one pass backwards knows for each place what begins, and one pass forwards takes what does not overlap.
std::vector<SpecialMatcher::Match> SpecialMatcher::find(std::string_view text) const {
  std::vector<Match> candidates;
  ByteMatcher::State state = ByteMatcher::kStart;
  for (std::size_t begin = text.size(); begin-- > 0;) {
    state = reversed_names_.next(state, static_cast<unsigned char>(text[begin]));
    const int pattern = reversed_names_.longest_match(state);
    if (pattern == ByteMatcher::kNoPattern) continue;
    const std::size_t length = reversed_names_.pattern(pattern).size();
    candidates.push_back({begin, begin + length, tokens_[static_cast<std::size_t>(pattern)]});
  }
  std::vector<Match> matches;
  for (auto candidate = candidates.rbegin(); candidate != candidates.rend(); ++candidate) {
    if (matches.empty() || candidate->begin >= matches.back().end) matches.push_back(*candidate);
  }
  return matches;
}

}  // namespace parley::inference::tokenizer
