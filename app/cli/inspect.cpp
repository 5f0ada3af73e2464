// parley inspect: what a model file holds, what memory it needs, and what is odd about it.

#include <iostream>
#include <stdexcept>
#include <string>

#include "app/cli/command.h"
#include "app/cli/options.h"
#include "app/models/catalogue.h"
#include "inference/formats/gguf.h"
#include "inference/model/summary_text.h"
#include "inference/tokenizer/tokenizer.h"
#include "orchestration/prompt/chat_template.h"

namespace parley::app::cli {

namespace {

// Tokenizer and template may be broken or unknown to us; the file is worth showing all the same.
std::string describe_template(const inference::formats::GgufFile& file) {
  try {
    const auto tokenizer = inference::tokenizer::make_tokenizer(file);
    const auto source = inference::formats::find_string(file, "tokenizer.chat_template");
    const orchestration::prompt::ChatTemplate chat_template(source.value_or(""), *tokenizer);
    return "The template shows: " + orchestration::prompt::to_text(chat_template.capabilities());
  } catch (const std::runtime_error& error) {
    return std::string("The template cannot be used: ") + error.what();
  }
}

}  // namespace

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
  std::cout << describe_template(*file) << "\n";
  return 0;
}

}  // namespace parley::app::cli
