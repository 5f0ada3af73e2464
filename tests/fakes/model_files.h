#pragma once
// Finds the real model files that some tests use: in $PARLEY_MODELS, else in ~/.local/share/parley/models.
// Such a test skips itself, with the reason, when the file is not there. Any thread; never fails.

#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace parley::tests::fakes {

inline std::filesystem::path model_directory() {
  if (const char* models = std::getenv("PARLEY_MODELS"); models != nullptr && *models != '\0') return models;
  const char* home = std::getenv("HOME");
  return std::filesystem::path(home != nullptr ? home : "/") / ".local/share/parley/models";
}

// `file_name` is that of config/models.json, "qwen2.5-coder-0.5b.gguf".
inline std::optional<std::filesystem::path> find_model(std::string_view file_name) {
  const auto path = model_directory() / file_name;
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(path, ignored)) return std::nullopt;
  return path;
}

inline std::string missing_model(std::string_view file_name) {
  return "no " + std::string(file_name) + " in " + model_directory().string() +
         ": fetch it with scripts/model, or set PARLEY_MODELS to its directory";
}

}  // namespace parley::tests::fakes
