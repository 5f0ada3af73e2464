#pragma once
// A model's chat template: the names it is given, and what has to be done to a conversation that it cannot
// show as it is (no system messages, no two user messages in a row), found out once at construction.
// Immutable after construction, any thread. Throws jinja::TemplateError when the template does not parse or
// refuses.

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "inference/tokenizer/tokenizer.h"
#include "orchestration/jinja/template.h"
#include "orchestration/prompt/chat_message.h"
#include "orchestration/prompt/prompt_builder.h"

namespace parley::orchestration::prompt {

// Origin of the text of message number `index` in a rendering.
constexpr jinja::Origin origin_of_message(std::size_t index) { return static_cast<jinja::Origin>(index + 1); }
inline constexpr jinja::Origin kToolsOrigin = 0xffff'ffff;

class ChatTemplate {
 public:
  // `source` empty: the ChatML form. Keeps nothing of the tokenizer.
  ChatTemplate(std::string_view source, const inference::tokenizer::Tokenizer& tokenizer);

  // `tools` is a list or none. Role names and special tokens count as the template's own text, message texts
  // and tools as data. A text that had to be merged with the one after it has the origin of the later
  // message.
  jinja::Rendered render(const std::vector<ChatMessage>& messages, const jinja::Value& tools,
                         GenerationPrompt generation_prompt) const;

 private:
  struct Part {
    Role role = Role::user;
    std::string text;
    std::size_t index = 0;  // of the message
  };

  std::vector<Part> adapted(const std::vector<ChatMessage>& messages) const;
  jinja::Rendered render_parts(const std::vector<Part>& parts, const jinja::Value& tools,
                               GenerationPrompt generation_prompt) const;
  bool shows(const std::vector<Part>& parts) const;

  std::unique_ptr<jinja::Template> template_;
  std::string bos_token_;
  std::string eos_token_;
  bool takes_system_ = true;
  bool takes_users_in_a_row_ = true;
};

}  // namespace parley::orchestration::prompt
