#pragma once
// The models known by name (config/models.json, built in) and where their files are. Immutable, any thread.
// A name that cannot be found throws ModelNotFound.

#include <filesystem>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "app/config/load_config.h"
#include "app/models/tool_settings.h"

namespace parley::app::models {

struct CatalogueEntry {
  std::string name;
  std::string file;  // name of the file in the models folder
  bool is_default = false;
  ToolSettings tools = {};
};

// There is no such model, or it is not on this machine. The text says what to do.
class ModelNotFound : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

const std::vector<CatalogueEntry>& catalogue();

// $PARLEY_MODELS, else models/ in the default data folder.
std::filesystem::path models_dir(const config::Environment& environment);

struct ModelChoice {
  std::string name;  // of the catalogue, or the file's name without .gguf
  std::filesystem::path file;
  ToolSettings tools = {};
};

// `wanted` is a name of the catalogue or a path; empty: the default model. Throws ModelNotFound.
ModelChoice find_model(std::string_view wanted, const config::Environment& environment);

// The folder of the default encoder, which turns texts into vectors; none: it is not on this machine.
std::optional<std::filesystem::path> find_encoder(const config::Environment& environment);

// What somebody without one can do, a sentence.
std::string encoder_advice();

}  // namespace parley::app::models
