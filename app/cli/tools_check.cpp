// parley tools check: reads a tools file, starts its servers, and tells what a model would be offered, what
// each tool costs in the prompt, and what of its schema can only be checked when the arguments are complete.

#include <chrono>
#include <iostream>
#include <optional>
#include <stdexcept>

#include "app/cli/options.h"
#include "app/cli/tool_box.h"
#include "app/cli/tool_report.h"
#include "app/cli/tools_commands.h"
#include "app/models/open_model.h"

namespace parley::app::cli {
namespace {

constexpr std::chrono::seconds kStartPatience{60};  // for servers to start

// The model named, or the default one if it is here: its tokenizer counts.
std::unique_ptr<inference::tokenizer::Tokenizer> counting_tokenizer(const std::optional<std::string>& wanted,
                                                                    const config::Environment& environment) {
  try {
    const auto choice = models::find_model(wanted.value_or(""), environment);
    return models::open_model(choice).tokenizer;
  } catch (const models::ModelNotFound&) {
    if (wanted) throw;
    return nullptr;
  }
}

}  // namespace

int run_tools_check(const Arguments& arguments) {
  Options options("tools check [FILE] [--model M] [--data DIR] [--json]",
                  "Reads a tools file, starts its servers, and lists the tools. Exit status 1: something "
                  "cannot be used.");
  options.add_value("file", "FILE", "the tools file; may stand alone; else tools.json in ~/.config/parley");
  options.add_value("model", "NAME|FILE",
                    "whose tokens are counted; else the default model's, if it is here");
  options.add_value("data", "DIR", "data folder (homes of servers)");
  options.add_flag("json", "print the report as JSON");
  options.allow_positional("file");
  if (!options.parse(arguments)) return 0;

  const auto environment = config::process_environment();
  const std::filesystem::path data =
      options.text("data").value_or(config::default_data_dir(environment).string());
  const auto tokenizer = counting_tokenizer(options.text("model"), environment);
  ToolBox box(find_tools_file(options.text("file"), environment), data, environment);
  box.refresh(kStartPatience);
  const ToolReport report = make_tool_report(*box.state(), box.servers(), tokenizer.get());
  std::cout << (options.has("json") ? to_json(report) : to_text(report));
  return report.is_clean() ? 0 : 1;
}

}  // namespace parley::app::cli
