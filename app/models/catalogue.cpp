#include "app/models/catalogue.h"

#include <simdjson.h>

#include <optional>
#include <system_error>

#include "app/models/catalogue_json.h"
#include "inference/json/nearest_name.h"

namespace parley::app::models {
namespace {

std::optional<std::string_view> find_word(const simdjson::dom::element& item, const char* key) {
  std::string_view word;
  if (item[key].get_string().get(word) != simdjson::SUCCESS) return std::nullopt;
  return word;
}

bool find_flag(const simdjson::dom::element& item, const char* key, bool otherwise) {
  bool flag = otherwise;
  return item[key].get_bool().get(flag) == simdjson::SUCCESS ? flag : otherwise;
}

ToolSettings tool_settings(const simdjson::dom::element& item) {
  ToolWords words;
  words.model = std::string_view(item["name"]);
  words.tools = find_word(item, "tools");
  words.call_format = find_word(item, "call_format");
  words.lenient_calls = find_flag(item, "lenient_calls", /*otherwise=*/true);
  return read_tool_settings(words);
}

std::vector<CatalogueEntry> read_catalogue() {
  // Our own file, checked by a test: simdjson's exceptions would be bugs here.
  simdjson::dom::parser parser;
  const simdjson::dom::element root = parser.parse(std::string_view(kCatalogueJson));
  std::vector<CatalogueEntry> entries;
  for (const simdjson::dom::element item : simdjson::dom::array(root["models"])) {
    CatalogueEntry entry;
    entry.name = std::string(std::string_view(item["name"]));
    entry.file = std::string(std::string_view(item["file"]));
    entry.is_default = find_flag(item, "default", /*otherwise=*/false);
    entry.tools = tool_settings(item);
    entries.push_back(std::move(entry));
  }
  return entries;
}

std::string default_encoder() {
  simdjson::dom::parser parser;
  const simdjson::dom::element root = parser.parse(std::string_view(kCatalogueJson));
  for (const simdjson::dom::element item : simdjson::dom::array(root["encoders"])) {
    if (find_flag(item, "default", /*otherwise=*/false)) return std::string(std::string_view(item["name"]));
  }
  return "";
}

const CatalogueEntry* find_entry(std::string_view wanted) {
  for (const CatalogueEntry& entry : catalogue()) {
    if (wanted.empty() ? entry.is_default : entry.name == wanted) return &entry;
  }
  return nullptr;
}

std::string names_text(std::string_view wanted) {
  std::vector<std::string_view> names;
  std::string text = "; the catalogue has";
  for (const CatalogueEntry& entry : catalogue()) {
    text += (names.empty() ? " " : ", ") + entry.name;
    names.push_back(entry.name);
  }
  const std::string_view near = inference::json::nearest_name(wanted, names);
  return (near.empty() ? "" : "; did you mean " + std::string(near) + "?") + text;
}

}  // namespace

const std::vector<CatalogueEntry>& catalogue() {
  static const std::vector<CatalogueEntry> kEntries = read_catalogue();
  return kEntries;
}

std::filesystem::path models_dir(const config::Environment& environment) {
  if (const auto folder = environment("PARLEY_MODELS"); folder && !folder->empty()) return *folder;
  return config::default_data_dir(environment) / "models";
}

ModelChoice find_model(std::string_view wanted, const config::Environment& environment) {
  if (const CatalogueEntry* entry = find_entry(wanted)) {
    const std::filesystem::path file = models_dir(environment) / entry->file;
    if (std::filesystem::exists(file)) return {entry->name, file, entry->tools};
    throw ModelNotFound("the model " + entry->name + " is not on this machine (" + file.string() +
                        "); fetch it with: scripts/model " + entry->name);
  }
  const std::filesystem::path path(wanted);
  if (std::filesystem::is_regular_file(path)) {
    for (const CatalogueEntry& entry : catalogue()) {
      if (path.filename() == entry.file) return {entry.name, path, entry.tools};
    }
    return {path.stem().string(), path, {}};
  }
  const bool looks_like_path = path.extension() == ".gguf" || wanted.find('/') != std::string_view::npos;
  if (looks_like_path) throw ModelNotFound("there is no model file " + path.string() + "; check the path");
  throw ModelNotFound("no model is called " + std::string(wanted) + names_text(wanted) +
                      "; a file of your own works too: --model FILE.gguf");
}

std::optional<std::filesystem::path> find_encoder(const config::Environment& environment) {
  std::filesystem::path folder = models_dir(environment) / default_encoder();
  std::error_code ignored;  // what cannot be looked at is not there
  if (!std::filesystem::is_regular_file(folder / "model.safetensors", ignored)) return std::nullopt;
  return folder;
}

std::string encoder_advice() {
  return "Fetch the model for it with scripts/model " + default_encoder() + ", then start Parley again.";
}

}  // namespace parley::app::models
