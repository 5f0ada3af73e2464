#pragma once
// The fewest oldest turns that must be left out for a prompt to fit. Builds few prompts: how many tokens each
// turn takes is read off the first one. Confined to one call of build(). Throws what making a
// prompt throws.

#include <cstddef>
#include <functional>
#include <variant>
#include <vector>

#include "inference/tokenizer/tokenizer.h"
#include "orchestration/prompt/encoded_prompt.h"
#include "orchestration/prompt/prompt_builder.h"
#include "orchestration/prompt/turns.h"

namespace parley::orchestration::prompt {

// A prompt, and where the text of each of its messages begins (npos: nowhere).
struct TrialPrompt {
  EncodedPrompt encoded;
  std::vector<std::size_t> message_begins;
};

Prompt to_prompt(EncodedPrompt encoded, std::size_t num_left_out);

class HistoryFitter {
 public:
  // Makes the prompt of a conversation that lacks the given number of oldest turns.
  using MakePrompt = std::function<TrialPrompt(std::size_t num_left_out)>;

  // All arguments must outlive the object.
  HistoryFitter(const inference::tokenizer::Tokenizer& tokenizer, const Turns& turns,
                const MakePrompt& make_prompt, std::size_t max_tokens)
      : tokenizer_(tokenizer), turns_(turns), make_prompt_(make_prompt), max_tokens_(max_tokens) {}

  // `surely_left_out` turns are known not to fit.
  std::variant<Prompt, PromptTooLong> fit(std::size_t surely_left_out);

 private:
  bool try_without(std::size_t num_left_out);
  std::variant<Prompt, PromptTooLong> search(const TrialPrompt& first, std::size_t surely_left_out);
  std::vector<std::size_t> tokens_before_turns(const TrialPrompt& first, std::size_t surely_left_out) const;

  const inference::tokenizer::Tokenizer& tokenizer_;
  const Turns& turns_;
  const MakePrompt& make_prompt_;
  std::size_t max_tokens_;
  Prompt best_;             // the last one that fitted
  std::size_t actual_ = 0;  // tokens of the last one tried
};

}  // namespace parley::orchestration::prompt
