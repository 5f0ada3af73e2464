#pragma once
// Opens a model's file: tokenizer and chat template, no weights yet. Called on any one thread. Throws
// std::runtime_error with a sentence for the user when the file is damaged or its architecture unknown.

#include <memory>
#include <string>

#include "app/models/catalogue.h"
#include "inference/formats/gguf.h"
#include "inference/model/model_config.h"
#include "inference/tokenizer/tokenizer.h"
#include "orchestration/prompt/prompt_builder.h"

namespace parley::app::models {

// A file whose metadata is read, without its weights: enough to tokenise and to render prompts.
struct OpenedModel {
  std::string name;
  std::unique_ptr<inference::formats::GgufFile> file;
  inference::model::ModelConfig config;
  std::unique_ptr<inference::tokenizer::Tokenizer> tokenizer;
  std::unique_ptr<orchestration::prompt::PromptBuilder> prompts;  // refers to the tokenizer
  orchestration::turn::ToolProfile tool_profile = orchestration::turn::ToolProfile::weak;
  orchestration::turn::CallReading reading;
};

OpenedModel open_model(const ModelChoice& choice);

}  // namespace parley::app::models
