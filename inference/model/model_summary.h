#pragma once
// What `parley inspect FILE` shows of a model file: metadata, tensors, memory need, chat template, warnings.
// Plain values, any thread. An unsupported architecture, a missing tokenizer or template are warnings; a file
// of a supported architecture that does not fit it (missing keys, tensors of other shapes) throws
// std::runtime_error.

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "inference/model/model_config.h"

namespace parley::inference::model {

struct TensorSummary {
  std::string name;
  std::string type;                      // "Q4_K"
  std::vector<std::int64_t> dimensions;  // as stored: the first is the fastest
  std::size_t bytes = 0;
};

struct TypeSummary {
  std::string type;
  int num_tensors = 0;
  std::size_t bytes = 0;
};

struct KvMemory {
  int tokens = 0;
  std::size_t bytes_f16 = 0;
  std::size_t bytes_f32 = 0;
};

struct ModelSummary {
  std::filesystem::path path;
  std::size_t file_bytes = 0;
  int gguf_version = 0;
  std::optional<ModelConfig> config;  // none: architecture not supported
  // Key and value in the file's order; long texts and arrays are shortened, nothing needs escaping.
  std::vector<std::pair<std::string, std::string>> metadata;
  std::vector<TensorSummary> tensors;
  std::vector<TypeSummary> types;  // most bytes first
  std::int64_t num_parameters = 0;
  std::size_t weight_bytes = 0;              // as stored; a backend's layout takes about as much
  std::vector<KvMemory> kv_memory;           // for one sequence of so many tokens
  std::optional<std::string> chat_template;  // as it is in the file
  std::vector<std::string> warnings;
};

// KV memory is given for `context` tokens and for the model's own limit. Requires context >= 0; 0: the limit
// only.
ModelSummary summarise_model(const formats::GgufFile& file, int context);

}  // namespace parley::inference::model
