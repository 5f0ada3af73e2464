#include "orchestration/turn/prompt_prefix.h"

#include <algorithm>
#include <utility>
#include <variant>

#include "orchestration/turn/fitting_prompt.h"
#include "orchestration/turn/tool_router.h"

namespace parley::orchestration::turn {
namespace {

// What the engine is given first.
std::vector<std::int32_t> first_prompt(const prompt::PromptBuilder& prompts, const ModelInfo& model,
                                       const ChatRequest& request, int max_context) {
  std::variant<prompt::Prompt, prompt::PromptTooLong> built;
  if (needs_router(model, request)) {
    prompt::PromptRequest question;
    question.messages = router_messages(request);
    question.max_prompt_tokens = max_context - 1;
    built = prompts.build(question);
  } else {
    built = build_fitting_prompt(prompts, request, {.max_context = max_context});
  }
  auto* prompt = std::get_if<prompt::Prompt>(&built);
  return prompt == nullptr ? std::vector<std::int32_t>() : std::move(prompt->ids);
}

ChatRequest asking(ChatRequest request, const char* question) {
  request.messages.emplace_back();
  request.messages.back().role = prompt::Role::user;
  request.messages.back().text = question;
  return request;
}

}  // namespace

// By rendering two questions that begin differently: where a template puts what is its own affair.
std::vector<std::int32_t> question_prefix(const prompt::PromptBuilder& prompts, const ModelInfo& model,
                                          const ChatRequest& request, int max_context) {
  std::vector<std::int32_t> prefix = first_prompt(prompts, model, asking(request, "a"), max_context);
  const std::vector<std::int32_t> other = first_prompt(prompts, model, asking(request, "1"), max_context);
  const auto end = std::mismatch(prefix.begin(), prefix.end(), other.begin(), other.end()).first;
  if (end == prefix.begin() || end == prefix.end()) return {};
  prefix.erase(end + 1, prefix.end());
  return prefix;
}

}  // namespace parley::orchestration::turn
