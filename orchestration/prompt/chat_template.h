#pragma once
// A model's chat template together with what it can show, found out once at construction: any conversation is
// brought into a form that it takes. Immutable after construction, any thread. Throws jinja::TemplateError
// when the template does not parse or refuses.

#include <string_view>
#include <vector>

#include "inference/tokenizer/tokenizer.h"
#include "orchestration/jinja/template.h"
#include "orchestration/prompt/chat_message.h"
#include "orchestration/prompt/normalised_messages.h"
#include "orchestration/prompt/template_capabilities.h"
#include "orchestration/prompt/template_renderer.h"

namespace parley::orchestration::prompt {

class ChatTemplate {
 public:
  // `source` empty: the ChatML form. Keeps nothing of the tokenizer.
  ChatTemplate(std::string_view source, const inference::tokenizer::Tokenizer& tokenizer);

  const TemplateCapabilities& capabilities() const { return capabilities_; }

  // Role names and special tokens count as the template's own text, messages and tools as data (origins.h).
  // A conversation that the template refuses for its reasoning or its calls is shown without the reasoning,
  // then with calls and results as text.
  jinja::Rendered render(const std::vector<ChatMessage>& messages, const NormaliseOptions& options,
                         GenerationPrompt generation_prompt) const;

 private:
  TemplateRenderer renderer_;
  TemplateCapabilities capabilities_;
};

}  // namespace parley::orchestration::prompt
