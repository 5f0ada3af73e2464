#include "app/models/open_model.h"

#include "inference/formats/gguf.h"

namespace parley::app::models {

namespace {

std::int64_t count_parameters(const inference::formats::GgufFile& file) {
  std::int64_t count = 0;
  for (const auto& tensor : file.tensors()) count += tensor.matrix.rows * tensor.matrix.columns;
  return count;
}

}  // namespace

OpenedModel open_model(const ModelChoice& choice) {
  OpenedModel model;
  model.name = choice.name;
  model.file = inference::formats::open_gguf(choice.file);
  model.config = inference::model::read_model_config(*model.file);
  model.tokenizer = inference::tokenizer::make_tokenizer(*model.file);
  const auto chat_template = inference::formats::find_string(*model.file, "tokenizer.chat_template");
  const std::string source(chat_template.value_or(""));
  model.prompts = orchestration::prompt::make_prompt_builder(source, *model.tokenizer);
  model.reading = orchestration::turn::call_reading(source, choice.tools.format);
  model.reading.detection = choice.tools.detection;
  model.tool_profile = choice.tools.profile.value_or(
      orchestration::turn::usual_tool_profile(source, count_parameters(*model.file)));
  return model;
}

}  // namespace parley::app::models
