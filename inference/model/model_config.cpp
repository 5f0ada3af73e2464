#include "inference/model/model_config.h"

#include <algorithm>
#include <map>
#include <stdexcept>
#include <string_view>

#include "inference/formats/gguf.h"
#include "inference/formats/shown_name.h"
#include "inference/model/architecture.h"
#include "inference/model/metadata_reader.h"
#include "inference/model/rope_frequencies.h"

namespace parley::inference::model {
namespace {

// Beyond any model in use; products of any two fit into 63 bits.
constexpr int kMaxLayers = 1024;
constexpr int kMaxWidth = 1 << 20;
constexpr int kMaxHeads = 4096;
constexpr int kMaxHeadDim = 1024;
constexpr int kMaxContext = 1 << 24;
constexpr int kMaxVocabulary = 1 << 24;

struct FileType {
  std::int64_t number;
  std::string_view name;
};

// Values of general.file_type whose tensor types can be read.
constexpr FileType kFileTypes[] = {
    {0, "F32"},     {1, "F16"},     {2, "Q4_0"},    {3, "Q4_1"},    {7, "Q8_0"},  {8, "Q5_0"}, {9, "Q5_1"},
    {14, "Q4_K_S"}, {15, "Q4_K_M"}, {16, "Q5_K_S"}, {17, "Q5_K_M"}, {18, "Q6_K"}, {32, "BF16"}};

std::string read_quantisation(const formats::GgufFile& file) {
  if (const auto number = formats::find_integer(file, "general.file_type")) {
    const auto* type = std::ranges::find(kFileTypes, *number, &FileType::number);
    if (type != std::end(kFileTypes)) return std::string(type->name);
  }
  std::map<std::string_view, std::int64_t> values_by_type;
  for (const formats::TensorInfo& tensor : file.tensors()) {
    values_by_type[kernels::dtypes::traits(tensor.matrix.dtype).name] +=
        tensor.matrix.rows * tensor.matrix.columns;
  }
  const auto most =
      std::ranges::max_element(values_by_type, {}, [](const auto& entry) { return entry.second; });
  return most == values_by_type.end() ? "" : std::string(most->first);
}

// The name is shown in logs and answers: what is empty, very long or not printable is replaced by the file's
// name.
std::string read_name(const formats::GgufFile& file) {
  constexpr std::size_t kMaxNameBytes = 200;
  const std::string name = formats::find_string(file, "general.name").value_or("");
  const bool printable = std::ranges::none_of(name, [](unsigned char c) { return c < 0x20 || c == 0x7f; });
  return !name.empty() && name.size() <= kMaxNameBytes && printable ? name : file.path().stem().string();
}

const Architecture& read_architecture(const formats::GgufFile& file) {
  const auto name = formats::find_string(file, "general.architecture");
  const std::string key = file.path().string() + ": metadata key 'general.architecture': ";
  if (!name) throw std::runtime_error(key + "is missing");
  const Architecture* architecture = find_architecture(*name);
  if (architecture != nullptr) return *architecture;
  throw std::runtime_error(key + formats::shown_name(*name) + " is not supported; supported are " +
                           supported_architectures());
}

// Features that would change the result silently.
void refuse_unsupported(const formats::GgufFile& file, const MetadataReader& keys) {
  if (const auto parts = formats::find_integer(file, "split.count"); parts && *parts > 1) {
    throw std::runtime_error(file.path().string() + ": metadata key 'split.count': the model is split into " +
                             std::to_string(*parts) + " files; join them first (llama-gguf-split --merge)");
  }
  if (keys.integer_or("expert_count", 0, {0, kMaxWidth}) > 0) {
    keys.fail("expert_count", "models with experts are not supported");
  }
}

void read_heads(const MetadataReader& keys, backend::ModelShape& shape) {
  shape.num_heads = keys.integer("attention.head_count", {1, kMaxHeads});
  shape.num_kv_heads = keys.integer_or("attention.head_count_kv", shape.num_heads, {1, shape.num_heads});
  if (shape.num_heads % shape.num_kv_heads != 0) {
    keys.fail("attention.head_count_kv", std::to_string(shape.num_kv_heads) + " does not divide the " +
                                             std::to_string(shape.num_heads) + " heads");
  }
  shape.head_dim = keys.integer_or("attention.key_length", 0, {2, kMaxHeadDim});
  if (shape.head_dim == 0) {
    if (shape.hidden_dim % shape.num_heads != 0) {
      keys.fail("attention.head_count", std::to_string(shape.num_heads) + " does not divide the width " +
                                            std::to_string(shape.hidden_dim) +
                                            ", and there is no key_length");
    }
    shape.head_dim = shape.hidden_dim / shape.num_heads;
  }
  if (shape.head_dim % 2 != 0 || shape.head_dim > kMaxHeadDim) {
    keys.fail("attention.key_length", "head size " + std::to_string(shape.head_dim) +
                                          " must be even and at most " + std::to_string(kMaxHeadDim));
  }
  const int value_length = keys.integer_or("attention.value_length", shape.head_dim, {1, kMaxHeadDim});
  if (value_length != shape.head_dim) keys.fail("attention.value_length", "must be equal to the key length");
}

int read_vocabulary(const formats::GgufFile& file, const Architecture& architecture) {
  const std::string name = std::string(architecture.embedding) + ".weight";
  const formats::TensorInfo* embedding = file.find_tensor(name);
  const std::string where = file.path().string() + ": tensor '" + name + "': ";
  if (embedding == nullptr) throw std::runtime_error(where + "is missing");
  const std::int64_t rows = embedding->matrix.rows;
  if (rows > kMaxVocabulary) throw std::runtime_error(where + "has " + std::to_string(rows) + " rows");
  return static_cast<int>(rows);
}

// Entries of the vocabulary; the rows where the file has none. A token without an embedding could be typed
// but not computed; an embedding without a token is padding (Qwen2.5 has 151936 rows for 151665 tokens).
int read_num_tokens(const formats::GgufFile& file, int vocab_size) {
  constexpr std::string_view kTokens = "tokenizer.ggml.tokens";
  const formats::MetadataValue* value = file.find_metadata(kTokens);
  const auto* tokens = value != nullptr ? std::get_if<std::vector<std::string>>(value) : nullptr;
  if (tokens == nullptr || tokens->empty()) return vocab_size;
  if (tokens->size() <= static_cast<std::size_t>(vocab_size)) return static_cast<int>(tokens->size());
  throw std::runtime_error(file.path().string() + ": metadata key '" + std::string(kTokens) +
                           "': " + std::to_string(tokens->size()) + " tokens, but there are embeddings for " +
                           std::to_string(vocab_size));
}

int read_max_context(const MetadataReader& keys) {
  const int context = keys.integer("context_length", {1, kMaxContext});
  // Attention here is never windowed; up to the window's length that is the same.
  const int window = keys.integer_or("attention.sliding_window", 0, {0, kMaxContext});
  return window > 0 ? std::min(context, window) : context;
}

}  // namespace

ModelConfig read_model_config(const formats::GgufFile& file) {
  const Architecture& architecture = read_architecture(file);
  const MetadataReader keys(file, architecture.name);
  refuse_unsupported(file, keys);

  ModelConfig config;
  config.architecture = architecture.name;
  config.name = read_name(file);
  config.quantisation = read_quantisation(file);
  config.max_context = read_max_context(keys);
  backend::ModelShape& shape = config.shape;
  shape.num_layers = keys.integer("block_count", {1, kMaxLayers});
  shape.hidden_dim = keys.integer("embedding_length", {1, kMaxWidth});
  shape.ffn_dim = keys.integer("feed_forward_length", {1, kMaxWidth});
  read_heads(keys, shape);
  shape.vocab_size = read_vocabulary(file, architecture);
  shape.num_tokens = read_num_tokens(file, shape.vocab_size);
  shape.norm_epsilon = static_cast<float>(keys.number("attention.layer_norm_rms_epsilon", {1e-12, 0.1}));
  shape.rope_layout = architecture.rope_layout;
  const int rope_dim = keys.integer_or("rope.dimension_count", shape.head_dim, {2, shape.head_dim});
  if (rope_dim % 2 != 0) keys.fail("rope.dimension_count", "must be even");
  shape.rope_inverse_frequencies = read_rope_frequencies(file, architecture.name, rope_dim);
  return config;
}

}  // namespace parley::inference::model
