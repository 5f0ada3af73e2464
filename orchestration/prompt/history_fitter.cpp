#include "orchestration/prompt/history_fitter.h"

#include <algorithm>
#include <utility>

namespace parley::orchestration::prompt {
namespace {

// How far the sum of a prompt's parts may be from the prompt without them.
constexpr std::size_t kUncertainTokens = 32;

}  // namespace

Prompt to_prompt(EncodedPrompt encoded, std::size_t num_left_out) {
  Prompt prompt;
  prompt.ids = std::move(encoded.ids);
  prompt.left_out_turns = static_cast<int>(num_left_out);
  prompt.num_answer_ids = encoded.num_answer_ids;
  prompt.reasoning_start = encoded.reasoning_start;
  return prompt;
}

std::variant<Prompt, PromptTooLong> HistoryFitter::fit(std::size_t surely_left_out) {
  TrialPrompt first = make_prompt_(surely_left_out);
  actual_ = first.encoded.ids.size();
  if (actual_ <= max_tokens_) return to_prompt(std::move(first.encoded), surely_left_out);
  return search(first, surely_left_out);
}

bool HistoryFitter::try_without(std::size_t num_left_out) {
  TrialPrompt trial = make_prompt_(num_left_out);
  actual_ = trial.encoded.ids.size();
  if (actual_ > max_tokens_) return false;
  best_ = to_prompt(std::move(trial.encoded), num_left_out);
  return true;
}

// Tokens that leaving out the turns before each one saves, as read off the prompt that has them all.
std::vector<std::size_t> HistoryFitter::tokens_before_turns(const TrialPrompt& first,
                                                            std::size_t surely_left_out) const {
  std::vector<std::size_t> begins;
  std::size_t begin = 0;
  for (std::size_t turn = surely_left_out; turn < turns_.count(); ++turn) {
    const Turns::Place place = turns_.place_of(turn, surely_left_out);
    const std::size_t seen = first.message_begins[place.message];
    if (seen != std::string_view::npos) begin = std::max(begin, seen + place.offset);
    begins.push_back(begin);
  }
  std::vector<std::size_t> before = count_ids_before(tokenizer_, first.encoded, begins);
  for (std::size_t i = before.size(); i-- > 0;) before[i] -= before[0];
  return before;
}

std::variant<Prompt, PromptTooLong> HistoryFitter::search(const TrialPrompt& first,
                                                          std::size_t surely_left_out) {
  const std::size_t total = first.encoded.ids.size();
  if (surely_left_out + 1 >= turns_.count()) {
    return PromptTooLong{static_cast<int>(max_tokens_), static_cast<int>(total)};
  }
  const std::vector<std::size_t> saved = tokens_before_turns(first, surely_left_out);
  const std::size_t last = turns_.count() - 1;  // the newest turn stays
  const auto enough = std::lower_bound(saved.begin(), saved.end(), total - max_tokens_);
  std::size_t guess = surely_left_out + static_cast<std::size_t>(enough - saved.begin());
  guess = std::clamp(guess, surely_left_out + 1, last);
  for (std::size_t step = 1; !try_without(guess); step *= 2) {
    if (guess == last) return PromptTooLong{static_cast<int>(max_tokens_), static_cast<int>(actual_)};
    guess = std::min(guess + step, last);
  }
  // One turn fewer may do as well where the estimate was close.
  while (guess - 1 > surely_left_out) {
    const std::size_t estimate = total - saved[guess - 1 - surely_left_out];
    if (estimate > max_tokens_ + kUncertainTokens || !try_without(guess - 1)) break;
    --guess;
  }
  return std::move(best_);
}

}  // namespace parley::orchestration::prompt
