#pragma once
// What a model file says of itself: architecture, sizes, limits. Immutable, any thread. Reading throws
// std::runtime_error.

#include <string>

#include "inference/backend/model_shape.h"

namespace parley::inference::formats {
class GgufFile;
}

namespace parley::inference::model {

struct ModelConfig {
  std::string architecture;  // "llama", "qwen2"
  std::string name;          // general.name, or the file's name
  std::string quantisation;  // "Q4_K_M" from general.file_type, or the commonest tensor type
  int max_context = 0;       // positions the model was trained for
  backend::ModelShape shape;
};

// Throws std::runtime_error naming the key when one is missing, of a wrong type or out of range, and the
// supported architectures when this one is not among them.
ModelConfig read_model_config(const formats::GgufFile& file);

}  // namespace parley::inference::model
