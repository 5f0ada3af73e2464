#include "inference/encoder/encoder_config.h"

#include <fstream>
#include <iterator>
#include <optional>
#include <stdexcept>
#include <variant>

#include "inference/json/fields.h"

namespace parley::inference::encoder {
namespace {

namespace fs = std::filesystem;
using json::JsonArray;
using json::JsonObject;
using json::JsonValue;

constexpr std::size_t kMaxConfigBytes = std::size_t{1} << 20;
constexpr std::int64_t kMaxSize = 1 << 20;
constexpr int kHeadMultiple = 16;    // what the attention kernels take
constexpr int kColumnMultiple = 32;  // a quantised block

[[noreturn]] void fail(const fs::path& file, const std::string& what) {
  throw std::runtime_error(file.string() + ": " + what);
}

std::optional<JsonValue> read_json(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  if (!in) return std::nullopt;
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  auto parsed = json::parse_json(text, {kMaxConfigBytes, 32});
  if (const auto* error = std::get_if<json::JsonError>(&parsed)) fail(file, error->message);
  return std::get<JsonValue>(std::move(parsed));
}

JsonObject read_object(const fs::path& file, bool required) {
  auto value = read_json(file);
  if (!value && required) fail(file, "the file cannot be read");
  if (!value) return {};
  if (!value->is_object()) fail(file, "it is no JSON object");
  return std::move(value->get_object());
}

int size_of(const fs::path& file, const JsonObject& object, std::string_view key) {
  const auto value = json::integer_field(object, key);
  if (!value || *value < 1 || *value > kMaxSize)
    fail(file, "\"" + std::string(key) + "\" is missing or out of range");
  return static_cast<int>(*value);
}

void read_sizes(const fs::path& file, const JsonObject& object, EncoderConfig& config) {
  const std::string kind = json::text_field(object, "model_type");
  if (kind != "bert")
    fail(file, "the model is a \"" + kind + "\"; encoders of the kind \"bert\" are supported");
  const std::string activation = json::text_field(object, "hidden_act");
  if (activation != "gelu")
    fail(file, "the activation \"" + activation + "\" is not supported, only \"gelu\"");
  const std::string positions = json::text_field(object, "position_embedding_type");
  if (!positions.empty() && positions != "absolute") fail(file, "only absolute positions are supported");
  config.vocab_size = size_of(file, object, "vocab_size");
  config.hidden_dim = size_of(file, object, "hidden_size");
  config.num_layers = size_of(file, object, "num_hidden_layers");
  config.num_heads = size_of(file, object, "num_attention_heads");
  config.ffn_dim = size_of(file, object, "intermediate_size");
  config.max_positions = size_of(file, object, "max_position_embeddings");
  config.num_token_types = size_of(file, object, "type_vocab_size");
  const auto epsilon = json::number_field(object, "layer_norm_eps");
  if (!epsilon || *epsilon <= 0 || *epsilon > 1) fail(file, "\"layer_norm_eps\" is missing or out of range");
  config.norm_epsilon = static_cast<float>(*epsilon);
  if (config.hidden_dim % config.num_heads != 0 || config.head_dim() % kHeadMultiple != 0 ||
      config.hidden_dim % kColumnMultiple != 0 || config.ffn_dim % kColumnMultiple != 0) {
    fail(file, "these sizes are not supported: heads must be a multiple of 16 wide, layers of 32");
  }
}

void read_pooling(const fs::path& file, EncoderConfig& config) {
  const JsonObject object = read_object(file, false);
  if (object.empty() || json::is_true(object, "pooling_mode_mean_tokens")) return;
  if (json::is_true(object, "pooling_mode_cls_token")) {
    config.pooling = Pooling::first;
  } else if (json::is_true(object, "pooling_mode_lasttoken")) {
    config.pooling = Pooling::last;
  } else {
    fail(file, "this pooling is not supported: mean, cls or last token");
  }
}

bool has_normalisation(const fs::path& file) {
  const auto modules = read_json(file);
  if (!modules || !modules->is_array()) return false;
  for (const auto& module : modules->get_array()) {
    const JsonObject* object = module.if_object();
    if (object == nullptr) continue;
    const auto type = json::text_view(*object, "type");
    if (type.size() >= 9 && type.substr(type.size() - 9) == "Normalize") return true;
  }
  return false;
}

// Prompts as sentence-transformers names them; models of the e5 family put them into their description only.
void read_prefixes(const JsonObject& object, EncoderConfig& config) {
  const JsonObject* prompts = json::object_field(object, "prompts");
  if (prompts == nullptr) return;
  config.query_prefix = json::text_field(*prompts, "query");
  config.passage_prefix = json::text_field(*prompts, "passage");
  if (config.passage_prefix.empty()) config.passage_prefix = json::text_field(*prompts, "document");
}

void read_words(const JsonObject& object, EncoderConfig& config) {
  const JsonValue* lower = object.if_contains("do_lower_case");
  if (lower != nullptr && lower->is_bool()) config.words.lowercase = lower->get_bool();
  const JsonValue* accents = object.if_contains("strip_accents");
  config.words.strip_accents =
      accents != nullptr && accents->is_bool() ? accents->get_bool() : config.words.lowercase;
  const JsonValue* han = object.if_contains("tokenize_chinese_chars");
  if (han != nullptr && han->is_bool()) config.words.split_han = han->get_bool();
  const auto take = [&](std::string_view key, std::string& name) {
    if (const auto text = json::text_field(object, key); !text.empty()) name = text;
  };
  take("unk_token", config.words.unknown);
  take("cls_token", config.words.begin);
  take("sep_token", config.words.end);
}

}  // namespace

EncoderConfig read_encoder_config(const fs::path& folder) {
  EncoderConfig config;
  read_sizes(folder / "config.json", read_object(folder / "config.json", true), config);
  read_pooling(folder / "1_Pooling" / "config.json", config);
  config.normalise = has_normalisation(folder / "modules.json");
  config.max_tokens = config.max_positions;
  const fs::path limits = folder / "sentence_bert_config.json";
  const JsonObject limit = read_object(limits, false);
  if (limit.contains("max_seq_length")) {
    config.max_tokens = std::min(config.max_positions, size_of(limits, limit, "max_seq_length"));
  }
  read_prefixes(read_object(folder / "config_sentence_transformers.json", false), config);
  read_words(read_object(folder / "tokenizer_config.json", false), config);
  return config;
}

}  // namespace parley::inference::encoder
