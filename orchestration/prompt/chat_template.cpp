#include "orchestration/prompt/chat_template.h"

#include <utility>

#include "orchestration/jinja/value.h"

namespace parley::orchestration::prompt {
namespace {

using inference::tokenizer::TokenId;
using inference::tokenizer::Tokenizer;
using jinja::Value;

constexpr std::string_view kChatMl =
    "{% for message in messages %}"
    "{{ '<|im_start|>' + message.role + '\\n' + message.content + '<|im_end|>\\n' }}"
    "{% endfor %}"
    "{% if add_generation_prompt %}{{ '<|im_start|>assistant\\n' }}{% endif %}";

std::string name_of(const Tokenizer& tokenizer, const std::optional<TokenId>& id) {
  return id ? std::string(tokenizer.token_bytes(*id)) : std::string();
}

std::string role_name(Role role) {
  switch (role) {
    case Role::system:
      return "system";
    case Role::user:
      return "user";
    case Role::assistant:
      return "assistant";
    case Role::tool:
      return "tool";
  }
  return "user";
}

Value own_text(std::string text) { return Value::text(std::move(text), jinja::kTemplateOrigin); }

// The room a conversation of this size may take; templates look at each text a few times.
jinja::RenderLimits limits_for(std::size_t num_messages, std::size_t num_bytes) {
  constexpr std::size_t kStepsPerMessage = 2000;
  jinja::RenderLimits limits;
  limits.max_steps += kStepsPerMessage * num_messages + num_bytes / 8;
  limits.max_output_bytes = (std::size_t{4} << 20) + 16 * num_bytes;
  limits.max_memory_bytes = (std::size_t{64} << 20) + 64 * num_bytes;
  return limits;
}

}  // namespace

ChatTemplate::ChatTemplate(std::string_view source, const Tokenizer& tokenizer)
    : template_(jinja::parse_template(source.empty() ? kChatMl : source)),
      bos_token_(name_of(tokenizer, tokenizer.special_tokens().bos)),
      eos_token_(name_of(tokenizer, tokenizer.special_tokens().eos)) {
  const Part user{Role::user, "question", 1};
  if (!shows({user})) return;  // then nothing can be learned, and rendering will say what is wrong
  takes_system_ = shows({{Role::system, "instruction", 0}, user});
  takes_users_in_a_row_ = shows({{Role::user, "before", 0}, user});
}

// Whether the template takes these parts and shows the text of the first one.
bool ChatTemplate::shows(const std::vector<Part>& parts) const {
  try {
    const jinja::Rendered rendered = render_parts(parts, Value::none(), GenerationPrompt::present);
    for (const jinja::OriginRun& run : rendered.runs) {
      if (run.origin == origin_of_message(parts.front().index)) return true;
    }
  } catch (const jinja::TemplateError&) {
    // Refusing is how a template says that it does not take such a conversation.
  }
  return false;
}

jinja::Rendered ChatTemplate::render(const std::vector<ChatMessage>& messages, const Value& tools,
                                     GenerationPrompt generation_prompt) const {
  return render_parts(adapted(messages), tools, generation_prompt);
}

std::vector<ChatTemplate::Part> ChatTemplate::adapted(const std::vector<ChatMessage>& messages) const {
  std::vector<Part> parts;
  std::string held_back;  // system text that the next user message takes along
  for (std::size_t i = 0; i < messages.size(); ++i) {
    const ChatMessage& message = messages[i];
    if (message.role == Role::system && !takes_system_) {
      held_back += message.text + "\n\n";
      continue;
    }
    const bool is_user = message.role == Role::user;
    const bool in_a_row = is_user && !parts.empty() && parts.back().role == Role::user;
    if (in_a_row && !takes_users_in_a_row_) {
      parts.back().text += "\n\n";
      parts.back().index = i;
    } else {
      parts.push_back({message.role, {}, i});
    }
    if (is_user) parts.back().text += std::exchange(held_back, {});
    parts.back().text += message.text;
  }
  if (!held_back.empty()) parts.push_back({Role::user, std::move(held_back), messages.size() - 1});
  return parts;
}

jinja::Rendered ChatTemplate::render_parts(const std::vector<Part>& parts, const Value& tools,
                                           GenerationPrompt generation_prompt) const {
  jinja::ValueList messages;
  std::size_t num_bytes = 0;
  for (const Part& part : parts) {
    jinja::Dict message;
    message.set("role", own_text(role_name(part.role)));
    message.set("content", Value::text(part.text, origin_of_message(part.index)));
    num_bytes += part.text.size();
    messages.push_back(Value::dict(std::move(message)));
  }
  jinja::Dict context;
  context.set("messages", Value::list(std::move(messages)));
  context.set("tools", tools);
  context.set("documents", Value::none());
  context.set("add_generation_prompt", Value::boolean(generation_prompt == GenerationPrompt::present));
  if (!bos_token_.empty()) context.set("bos_token", own_text(bos_token_));
  if (!eos_token_.empty()) context.set("eos_token", own_text(eos_token_));
  return template_->render(Value::dict(std::move(context)), limits_for(parts.size(), num_bytes));
}

}  // namespace parley::orchestration::prompt
