#pragma once
// What the prompts of a chat's next questions have in common at their beginning: the system text and the
// tools, or, where a router goes first, its list of them. Pure, any thread; renders and tokenises, so it
// belongs on a worker.

#include <cstdint>
#include <vector>

#include "orchestration/prompt/prompt_builder.h"
#include "orchestration/turn/chat_model.h"

namespace parley::orchestration::turn {

// `request` has the messages before the first question. Behind the common part stands one token more, of a
// question, since a cache never gives the last token of a prompt. Empty: nothing is common, or it does not
// fit. Throws jinja::TemplateError.
std::vector<std::int32_t> question_prefix(const prompt::PromptBuilder& prompts, const ModelInfo& model,
                                          const ChatRequest& request, int max_context);

}  // namespace parley::orchestration::turn
