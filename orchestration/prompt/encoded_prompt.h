#pragma once
// A rendered prompt as token ids. Pure functions over values, any thread, never fail.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "inference/tokenizer/tokenizer.h"
#include "orchestration/jinja/template.h"
#include "orchestration/prompt/stored_ids.h"
#include "orchestration/prompt/template_capabilities.h"

namespace parley::orchestration::prompt {

// Bytes [begin, end) of the prompt's text are ids [first_id, first_id + num_ids).
struct EncodedPiece {
  std::size_t begin = 0;
  std::size_t end = 0;
  std::size_t first_id = 0;
  std::size_t num_ids = 0;
};

struct EncodedPrompt {
  std::vector<std::int32_t> ids;
  std::vector<EncodedPiece> pieces;  // ascending, covering the text
  std::size_t num_answer_ids = 0;    // behind the text: those of append_answer
  calls::ReasoningStart reasoning_start = calls::ReasoningStart::model_opens;
};

// Special tokens come from the template's own text only. Text between splices is tokenised on its own, so
// that the borders are those that stood when the spliced ids were generated. Begins with bos where the file
// asks for it and the template has not written it.
EncodedPrompt encode_prompt(const inference::tokenizer::Tokenizer& tokenizer, const jinja::Rendered& rendered,
                            const std::vector<Splice>& splices);

// Adds the ids of an answer that is to be carried on; where they are not known or spell another answer, its
// reasoning and text, between the template's marks. Keeps `reasoning_start` true.
void append_answer(const inference::tokenizer::Tokenizer& tokenizer, const ChatMessage& answer,
                   const TemplateCapabilities& can, EncodedPrompt& prompt);

// How many ids come before each byte position of the text, as far as ids and bytes can be matched up. The
// positions ascend. One walk over the prompt.
std::vector<std::size_t> count_ids_before(const inference::tokenizer::Tokenizer& tokenizer,
                                          const EncodedPrompt& prompt,
                                          std::span<const std::size_t> positions);

}  // namespace parley::orchestration::prompt
