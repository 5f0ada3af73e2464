#pragma once
// Where answers with calls stand in a prompt, for templates that write such answers so differently from
// others that no text can stand for them: behind what is rendered of the conversation before, up to the token
// that ends the turn. There the prompt had its beginning of the answer, and behind that come the ids that the
// model generated. Pure functions, any thread. Never fail: an answer whose place is in doubt has none.

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "inference/tokenizer/tokenizer.h"
#include "orchestration/jinja/template.h"
#include "orchestration/prompt/prompt_builder.h"

namespace parley::orchestration::prompt {

struct AnswerPlace {
  std::size_t message = 0;
  std::size_t begin = 0;  // bytes of the prompt
  std::size_t end = 0;
  std::string lead;  // the beginning of the answer
};

// What the template makes of the first messages; nothing where it refuses.
using RenderFirst = std::function<std::optional<jinja::Rendered>(std::size_t num_messages,
                                                                 GenerationPrompt generation_prompt)>;

// Of the messages `answers`, ascending.
std::vector<AnswerPlace> find_answer_places(const inference::tokenizer::Tokenizer& tokenizer,
                                            const jinja::Rendered& prompt,
                                            const std::vector<std::size_t>& answers,
                                            const RenderFirst& render_first);

// The same prompt with a placeholder for ids behind each lead (normalised_messages.h).
jinja::Rendered with_places(const jinja::Rendered& prompt, const std::vector<AnswerPlace>& places);

}  // namespace parley::orchestration::prompt
