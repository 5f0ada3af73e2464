#include "app/cli/tool_cost.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/cli/bench_runs.h"
#include "app/cli/model_loading.h"
#include "app/cli/progress_bar.h"
#include "app/models/start_engine.h"
#include "orchestration/jinja/template.h"
#include "orchestration/turn/prompt_prefix.h"

namespace parley::app::cli {
namespace {

namespace turn = orchestration::turn;
using turn::ToolProfile;

constexpr int kMeasuredTokens = 128;  // long enough for the rate of a long prompt, read in a second or two

// With a router all that it reads is there for the tools; else what they add to a chat's own beginning.
std::size_t tokens_of(const orchestration::prompt::PromptBuilder& prompts, const turn::ModelInfo& model,
                      const OfferedTools& tools) {
  turn::ChatRequest request;
  const std::size_t without = model.tool_profile == ToolProfile::weak
                                  ? 1  // the token of a question
                                  : turn::question_prefix(prompts, model, request, model.max_context).size();
  request.tools.tools = tools;
  const std::size_t with = turn::question_prefix(prompts, model, request, model.max_context).size();
  return with > without ? with - without : 0;
}

// Of a machine that does nothing else; beside a running server the figure is a worse one.
double measured_rate(models::OpenedModel& model) {
  ProgressBar bar("loading " + model.name);
  models::LoadOptions load;
  load.context = std::min(model.config.max_context, 2 * kMeasuredTokens);
  load.max_sequences = 1;
  models::EngineReport report;
  const auto progress = [&bar](double share) { bar.show(share); };
  const auto engine = models::start_engine(model, load, progress, report);
  const int tokens = std::min(kMeasuredTokens, load.context / 2);
  return prefill_rate(*engine, tokens, model.config.shape.vocab_size);
}

bool has_room(const models::OpenedModel& model) {
  const auto file = static_cast<std::size_t>(model.file->file_bytes());
  return models::free_memory() > file + file / 4;
}

std::string time_text(const ToolCost& cost) {
  if (cost.seconds) return ", " + about_seconds(*cost.seconds) + " to read once";
  return cost.not_measured.empty() ? "" : "; no time: " + cost.not_measured;
}

}  // namespace

ToolCost count_tool_tokens(const orchestration::prompt::PromptBuilder& prompts, const turn::ModelInfo& model,
                           const OfferedTools& tools) {
  ToolCost cost;
  cost.model = model.name;
  cost.profile = model.tool_profile;
  if (tools.empty() || cost.profile == ToolProfile::none) return cost;
  try {
    cost.tokens = tokens_of(prompts, model, tools);
    if (cost.tokens == 0) cost.not_measured = "they do not fit into the model's context";
  } catch (const orchestration::jinja::TemplateError& error) {
    cost.not_measured = std::string("the model's chat template refuses them: ") + error.what();
  }
  return cost;
}

ToolCost measure_tool_cost(models::OpenedModel model, const OfferedTools& tools) {
  ToolCost cost = count_tool_tokens(*model.prompts, model_info(model, model.config.max_context), tools);
  if (cost.tokens == 0) return cost;
  if (!has_room(model)) {
    cost.not_measured = "there is too little free memory to load the model";
    return cost;
  }
  cost.seconds = static_cast<double>(cost.tokens) / measured_rate(model);
  return cost;
}

const char* profile_word(ToolProfile profile) {
  switch (profile) {
    case ToolProfile::native:
      return "native";
    case ToolProfile::weak:
      return "weak";
    case ToolProfile::none:
      break;
  }
  return "none";
}

std::string about_seconds(double seconds) {
  if (seconds < 0.1) return "less than 0.1 s";
  if (seconds >= 10) return "about " + std::to_string(std::lround(seconds)) + " s";
  const long tenths = std::lround(seconds * 10);
  return "about " + std::to_string(tenths / 10) + "." + std::to_string(tenths % 10) + " s";
}

std::string to_text(const ToolCost& cost) {
  const std::string head = cost.model + " (" + profile_word(cost.profile) + "): ";
  const std::string count = std::to_string(cost.tokens) + " tokens";
  switch (cost.profile) {
    case ToolProfile::native:
      return head + count + " in every prompt" + time_text(cost) + "\n";
    case ToolProfile::weak:
      return head + "a router's list of " + count + " before each question" + time_text(cost) + "\n";
    case ToolProfile::none:
      break;
  }
  return head + "cannot call tools, they are left out\n";
}

}  // namespace parley::app::cli
