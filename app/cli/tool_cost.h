#pragma once
// What tools cost a model before it can answer: tokens in front of the question, and about how long this
// machine takes to read them. Main thread. Throws std::runtime_error with a sentence when a model's file is
// damaged.

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/models/open_model.h"
#include "orchestration/tools/tool.h"
#include "orchestration/turn/chat_model.h"

namespace parley::app::cli {

struct ToolCost {
  std::string model;
  orchestration::turn::ToolProfile profile = orchestration::turn::ToolProfile::none;
  std::size_t tokens = 0;         // of the tools; with a router, of its list and what it is told
  std::optional<double> seconds;  // to read them when nothing is cached, about
  std::string not_measured;       // without seconds: why, a clause; empty: there is nothing to read
};

using OfferedTools = std::vector<std::shared_ptr<orchestration::tools::Tool>>;

// Tokens only, takes milliseconds.
ToolCost count_tool_tokens(const orchestration::prompt::PromptBuilder& prompts,
                           const orchestration::turn::ModelInfo& model, const OfferedTools& tools);

// Also loads the model and reads a short prompt, which takes seconds and the model's memory.
ToolCost measure_tool_cost(models::OpenedModel model, const OfferedTools& tools);

// "native", as config/models.json has it.
const char* profile_word(orchestration::turn::ToolProfile profile);

// "about 43 s".
std::string about_seconds(double seconds);

// One line.
std::string to_text(const ToolCost& cost);

}  // namespace parley::app::cli
