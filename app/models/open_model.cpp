#include "app/models/open_model.h"

#include "inference/formats/gguf.h"

namespace parley::app::models {

OpenedModel open_model(const ModelChoice& choice) {
  OpenedModel model;
  model.name = choice.name;
  model.file = inference::formats::open_gguf(choice.file);
  model.config = inference::model::read_model_config(*model.file);
  model.tokenizer = inference::tokenizer::make_tokenizer(*model.file);
  const auto chat_template = inference::formats::find_string(*model.file, "tokenizer.chat_template");
  model.prompts = orchestration::prompt::make_prompt_builder(chat_template.value_or(""), *model.tokenizer);
  return model;
}

}  // namespace parley::app::models
