#pragma once
// A conversation's prompt for a model of limited context: how much room the answer gets, and what is left out
// when the history has become too long. Pure, any thread; renders and tokenises, so it belongs on a worker.

#include <variant>

#include "orchestration/prompt/prompt_builder.h"
#include "orchestration/turn/chat_model.h"

namespace parley::orchestration::turn {

// With leave_out_oldest, more than necessary is left out when it has to be (a quarter of the room stays
// free), and that start is kept while it fits: the following turns then find the same prefix in the cache.
// Throws jinja::TemplateError.
std::variant<prompt::Prompt, prompt::PromptTooLong> build_fitting_prompt(const prompt::PromptBuilder& builder,
                                                                         const ChatRequest& request,
                                                                         int max_context,
                                                                         prompt::ResultForm results);

}  // namespace parley::orchestration::turn
