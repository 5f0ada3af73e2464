// parley render: messages to the prompt text of a model.

#include <iostream>

#include "app/cli/command.h"
#include "app/cli/messages_document.h"
#include "app/cli/options.h"
#include "app/cli/read_input.h"
#include "app/models/open_model.h"

namespace parley::app::cli {

using orchestration::prompt::GenerationPrompt;

int run_render(const Arguments& arguments) {
  Options options(
      "render --model M [--no-generation-prompt] < MESSAGES.json",
      "Renders {\"messages\":[…],\"tools\":[…]} on standard input with the model's chat template.");
  options.add_value("model", "NAME|FILE", "model of the catalogue, or a GGUF file");
  options.add_flag("no-generation-prompt", "leave out the beginning of the answer");
  if (!options.parse(arguments)) return 0;

  const auto choice = models::find_model(options.text("model").value_or(""), config::process_environment());
  const models::OpenedModel model = models::open_model(choice);
  const MessagesDocument document = parse_messages(read_input("-"), "standard input");
  std::cout << model.prompts->render(
      document.messages, document.tools_json,
      options.has("no-generation-prompt") ? GenerationPrompt::absent : GenerationPrompt::present);
  return 0;
}

}  // namespace parley::app::cli
