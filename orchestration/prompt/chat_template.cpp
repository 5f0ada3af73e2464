#include "orchestration/prompt/chat_template.h"

#include <algorithm>
#include <optional>

#include "orchestration/prompt/template_probe.h"

namespace parley::orchestration::prompt {
namespace {

bool is_plain(const ChatMessage& message) {
  return message.role != Role::tool && message.calls.empty() && message.reasoning.empty();
}

}  // namespace

ChatTemplate::ChatTemplate(std::string_view source, const inference::tokenizer::Tokenizer& tokenizer)
    : renderer_(source, tokenizer), capabilities_(probe_template(renderer_)) {}

jinja::Rendered ChatTemplate::render(const std::vector<ChatMessage>& messages,
                                     const NormaliseOptions& options,
                                     GenerationPrompt generation_prompt) const {
  const auto render_as = [&](const TemplateCapabilities& form) {
    return renderer_.render(normalise(messages, form, options), form, options.tools, generation_prompt);
  };
  const auto try_as = [&](const TemplateCapabilities& form) -> std::optional<jinja::Rendered> {
    try {
      return render_as(form);
    } catch (const jinja::TemplateError&) {
      return std::nullopt;  // the first refusal is the one to tell
    }
  };
  try {
    return render_as(capabilities_);
  } catch (const jinja::TemplateLimitError&) {
    throw;  // another form would cost as much
  } catch (const jinja::TemplateError&) {
    if (std::all_of(messages.begin(), messages.end(), is_plain)) throw;
    TemplateCapabilities form = capabilities_;
    form.reasoning_field.clear();
    if (auto rendered = try_as(form)) return *std::move(rendered);
    form.calls = false;
    form.results = false;
    if (auto rendered = try_as(form)) return *std::move(rendered);
    throw;
  }
}

}  // namespace parley::orchestration::prompt
