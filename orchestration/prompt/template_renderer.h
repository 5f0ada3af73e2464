#pragma once
// A model's chat template with the names it is given, as Hugging Face transformers gives them. Everything of
// messages and tools is data; role names, special tokens and names of fields count as the template's text.
// Immutable after construction, any thread. Throws jinja::TemplateError when the template does not parse or
// refuses.

#include <memory>
#include <string>
#include <string_view>

#include "inference/tokenizer/tokenizer.h"
#include "orchestration/jinja/template.h"
#include "orchestration/prompt/message_part.h"
#include "orchestration/prompt/prompt_builder.h"
#include "orchestration/prompt/template_capabilities.h"

namespace parley::orchestration::prompt {

class TemplateRenderer {
 public:
  // `source` empty: the ChatML form. Keeps nothing of the tokenizer.
  TemplateRenderer(std::string_view source, const inference::tokenizer::Tokenizer& tokenizer);

  // `form` says which form texts, arguments and reasoning are to have; `tools` is a list of descriptions in
  // OpenAI's form, or none.
  jinja::Rendered render(const MessageParts& parts, const TemplateCapabilities& form,
                         const jinja::Value& tools, GenerationPrompt generation_prompt) const;

 private:
  std::unique_ptr<jinja::Template> template_;
  std::string bos_token_;
  std::string eos_token_;
};

}  // namespace parley::orchestration::prompt
