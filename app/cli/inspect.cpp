// parley inspect: what a model file holds, what memory it needs, and what is odd about it.

#include <iostream>

#include "app/cli/command.h"
#include "app/cli/options.h"
#include "app/models/catalogue.h"
#include "inference/formats/gguf.h"
#include "inference/model/summary_text.h"

namespace parley::app::cli {

int run_inspect(const Arguments& arguments) {
  Options options("inspect FILE [--context N]",
                  "Prints metadata, tensors, memory need, chat template and warnings of a GGUF file.");
  options.add_value("file", "FILE", "the file, or a name of the catalogue; may stand alone");
  options.add_value("context", "N", "also print the KV cache of a context of N tokens");
  options.allow_positional("file");
  if (!options.parse(arguments)) return 0;

  const auto choice = models::find_model(options.required("file"), config::process_environment());
  const auto file = inference::formats::open_gguf(choice.file);
  const int context = static_cast<int>(options.integer("context", 0, 0, 1 << 24));
  std::cout << inference::model::to_text(inference::model::summarise_model(*file, context));
  return 0;
}

}  // namespace parley::app::cli
