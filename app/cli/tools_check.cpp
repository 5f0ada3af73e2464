// parley tools check: reads a tools file, starts its servers, and tells what a model would be offered, what
// that costs it (tokens, and about how long they take to read here), and what of each schema can only be
// checked when the arguments are complete.

#include <chrono>
#include <iostream>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/cli/interrupt_as_stop.h"
#include "app/cli/options.h"
#include "app/cli/tool_box.h"
#include "app/cli/tool_cost.h"
#include "app/cli/tool_report.h"
#include "app/cli/tools_commands.h"
#include "app/config/load_config.h"
#include "app/models/open_model.h"
#include "orchestration/tools/tool_policy.h"

namespace parley::app::cli {
namespace {

constexpr std::chrono::seconds kStartPatience{60};  // for servers to start

struct OpenedModels {
  std::vector<models::OpenedModel> found;
  std::string missing;  // without any: why
};

// Those named, else the configured one, else the default one, where it is here.
OpenedModels open_models(const Options& options, const config::Environment& environment) {
  OpenedModels opened;
  for (const std::string& name : options.texts("model")) {
    opened.found.push_back(models::open_model(models::find_model(name, environment)));
  }
  if (!opened.found.empty()) return opened;
  config::ConfigSources sources;
  sources.file = options.text("config").value_or("");
  sources.environment = environment;
  const std::string configured = config::load_config(sources).model;
  try {
    opened.found.push_back(models::open_model(models::find_model(configured, environment)));
  } catch (const models::ModelNotFound& error) {
    opened.missing = error.what();
  }
  return opened;
}

OfferedTools offered(const orchestration::tools::RegistryState& state) {
  const orchestration::tools::ToolPolicy policy(state.file->permissions);
  OfferedTools tools;
  for (const auto& tool : state.tools.tools()) {
    if (policy.decide(tool->spec()) != orchestration::tools::Decision::deny) tools.push_back(tool);
  }
  return tools;
}

// Nothing: a stop came. What the box has started has ended when this returns.
std::optional<ToolReport> check_tools(const Options& options, const config::Environment& environment,
                                      const InterruptAsStop& interrupt) {
  const std::filesystem::path data =
      options.text("data").value_or(config::default_data_dir(environment).string());
  OpenedModels opened = open_models(options, environment);
  ToolBox box(find_tools_file(options.text("file"), environment), OwnPlaces{.data_folder = data},
              environment);
  box.refresh(kStartPatience, interrupt.token());
  if (interrupt.has_come()) return std::nullopt;
  const auto* tokenizer = opened.found.empty() ? nullptr : opened.found.front().tokenizer.get();
  ToolReport report = make_tool_report(*box.state(), box.servers(), tokenizer);
  report.no_model = opened.missing;
  for (models::OpenedModel& model : opened.found) {
    report.costs.push_back(measure_tool_cost(std::move(model), offered(*box.state())));
    if (interrupt.has_come()) return std::nullopt;
  }
  return report;
}

}  // namespace

int run_tools_check(const Arguments& arguments) {
  Options options("tools check [FILE] [--model M] [--data DIR] [--json]",
                  "Reads a tools file, starts its servers, and lists the tools. Exit status 1: something "
                  "cannot be used.");
  options.add_value("file", "FILE", "the tools file; may stand alone; else tools.json in ~/.config/parley");
  options.add_value("model", "NAME|FILE",
                    "what the tools cost this model is told; may be repeated; else the configured or the\n"
                    "default one, if it is here");
  options.add_value("config", "FILE", "the server's configuration, for its model");
  options.add_value("data", "DIR", "data folder (homes of servers)");
  options.add_flag("json", "print the report as JSON");
  options.allow_positional("file");
  if (!options.parse(arguments)) return 0;

  const InterruptAsStop interrupt;
  const auto report = check_tools(options, config::process_environment(), interrupt);
  if (!report) {
    std::cerr << "stopped: nothing is reported, and what was started has ended\n";
    return kInterruptedStatus;
  }
  std::cout << (options.has("json") ? to_json(*report) : to_text(*report));
  return report->is_clean() ? 0 : 1;
}

}  // namespace parley::app::cli
