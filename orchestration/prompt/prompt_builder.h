#pragma once
// Conversation in, prompt token ids out: the model's chat template, special tokens from template text only,
// stored ids of earlier answers, and a token budget. Immutable after construction, any thread. What a
// template refuses is thrown as jinja::TemplateError.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "inference/tokenizer/tokenizer.h"
#include "orchestration/calls/call_parser.h"
#include "orchestration/prompt/chat_message.h"

namespace parley::orchestration::prompt {

enum class Overflow : std::uint8_t {
  refuse,            // PromptTooLong when it does not fit
  leave_out_oldest,  // whole oldest turns (a user message with its answers) are left out, never the system
                     // text
};

// The beginning of the answer, which the template writes.
enum class GenerationPrompt : bool { absent, present };

// How results of tools are put to the model.
enum class ResultForm : std::uint8_t {
  of_template,
  // As a message of the user that repeats the question: small models answer from it, where they call again
  // after a result in their template's form.
  restated_question,
};

struct PromptRequest {
  std::vector<ChatMessage> messages;
  bool continue_last = false;  // the last message is an assistant's, to be carried on from where it stopped
  int max_prompt_tokens = 0;   // room for the prompt
  Overflow overflow = Overflow::refuse;
  std::vector<ToolDescription> tools;  // offered to the model, in this order
  ResultForm results = ResultForm::of_template;
};

struct Prompt {
  std::vector<std::int32_t> ids;
  int left_out_turns = 0;
  std::size_t num_answer_ids = 0;  // with continue_last: the last ids, which are the answer's
  // What the prompt has done about reasoning already; of an answer that is carried on: where it stands.
  calls::ReasoningStart reasoning_start = calls::ReasoningStart::model_opens;
};

struct PromptTooLong {
  int limit = 0;   // tokens
  int actual = 0;  // tokens of the smallest prompt that was allowed
};

class PromptBuilder {
 public:
  virtual ~PromptBuilder() = default;
  // Throws jinja::TemplateError when the template refuses the conversation (its own words are kept).
  virtual std::variant<Prompt, PromptTooLong> build(const PromptRequest& request) const = 0;
  // The prompt's text, special tokens by name; `tools_json` is a JSON array or empty. For `parley render`.
  // Also throws std::invalid_argument when the tools are none.
  virtual std::string render(const std::vector<ChatMessage>& messages, std::string_view tools_json,
                             GenerationPrompt generation_prompt) const = 0;
};

// `template_source` empty: the ChatML form. The tokenizer must outlive the builder.
std::unique_ptr<PromptBuilder> make_prompt_builder(std::string_view template_source,
                                                   const inference::tokenizer::Tokenizer& tokenizer);

}  // namespace parley::orchestration::prompt
