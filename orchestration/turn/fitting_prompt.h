#pragma once
// A conversation's prompt for a model of limited context: how much room the answer gets, and what is left out
// when the history has become too long. Pure, any thread; renders and tokenises, so it belongs on a worker.
// The newest turn is never left out. Where it alone is too long, results of its calls are shortened.

#include <variant>

#include "orchestration/prompt/prompt_builder.h"
#include "orchestration/turn/chat_model.h"

namespace parley::orchestration::turn {

struct FittingOptions {
  int max_context = 0;
  prompt::ResultForm results = prompt::ResultForm::of_template;
  TokenCounter count = rough_token_count;
};

// With leave_out_oldest, more than necessary is left out when it has to be (a quarter of the room stays
// free), and that start is kept while it fits: the following turns then find the same prefix in the cache.
// With refuse, everything stays as it is. Throws jinja::TemplateError.
std::variant<prompt::Prompt, prompt::PromptTooLong> build_fitting_prompt(const prompt::PromptBuilder& builder,
                                                                         const ChatRequest& request,
                                                                         const FittingOptions& options);

}  // namespace parley::orchestration::turn
