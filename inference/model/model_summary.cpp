#include "inference/model/model_summary.h"

#include <algorithm>
#include <map>
#include <sstream>
#include <string_view>

#include "inference/backend/backend.h"
#include "inference/formats/gguf.h"
#include "inference/formats/shown_name.h"
#include "inference/model/architecture.h"
#include "inference/model/transformer.h"

namespace parley::inference::model {
namespace {

constexpr std::string_view kTemplateKey = "tokenizer.chat_template";

struct ShowValue {
  std::string operator()(bool value) const { return value ? "true" : "false"; }
  std::string operator()(std::int64_t value) const { return std::to_string(value); }
  std::string operator()(std::uint64_t value) const { return std::to_string(value); }
  std::string operator()(double value) const {
    std::ostringstream text;
    text << value;
    return text.str();
  }
  std::string operator()(const std::string& value) const {
    return formats::shown_name(value) +
           (value.size() > 80 ? " (" + std::to_string(value.size()) + " bytes)" : "");
  }
  template <typename T>
  std::string operator()(const std::vector<T>& values) const {
    constexpr std::size_t kMaxShown = 4;
    std::string text = "[";
    for (std::size_t i = 0; i < std::min(values.size(), kMaxShown); ++i) {
      text += (i > 0 ? ", " : "") + (*this)(static_cast<T>(values[i]));
    }
    if (values.size() > kMaxShown) text += ", ...";
    return text + "] (" + std::to_string(values.size()) + ")";
  }
};

void add_metadata(const formats::GgufFile& file, ModelSummary& summary) {
  for (const formats::MetadataEntry& entry : file.metadata()) {
    const std::string key = formats::shown_name(entry.key);
    summary.metadata.emplace_back(key.substr(1, key.size() - 2), std::visit(ShowValue{}, entry.value));
  }
}

void add_tensors(const formats::GgufFile& file, ModelSummary& summary) {
  std::map<std::string_view, TypeSummary> types;
  for (const formats::TensorInfo& tensor : file.tensors()) {
    const auto& matrix = tensor.matrix;
    const std::string_view type = kernels::dtypes::traits(matrix.dtype).name;
    const std::size_t bytes = stored_bytes(matrix);
    const std::string name = formats::shown_name(tensor.name);
    summary.tensors.push_back({name.substr(1, name.size() - 2), std::string(type), tensor.dimensions, bytes});
    summary.num_parameters += matrix.rows * matrix.columns;
    summary.weight_bytes += bytes;
    TypeSummary& entry = types[type];
    entry.type = type;
    ++entry.num_tensors;
    entry.bytes += bytes;
  }
  for (auto& [name, entry] : types) summary.types.push_back(std::move(entry));
  std::ranges::stable_sort(summary.types, std::ranges::greater{}, &TypeSummary::bytes);
}

KvMemory kv_memory(const backend::ModelShape& shape, int tokens) {
  const auto blocks = (static_cast<std::size_t>(tokens) + backend::kBlockTokens - 1) /
                      static_cast<std::size_t>(backend::kBlockTokens);
  return {.tokens = tokens,
          .bytes_f16 = blocks * backend::kv_block_bytes(shape, backend::KvType::f16),
          .bytes_f32 = blocks * backend::kv_block_bytes(shape, backend::KvType::f32)};
}

// False: the model is of a family that cannot be run, a warning says so.
bool is_supported(const formats::GgufFile& file, ModelSummary& summary) {
  const auto name = formats::find_string(file, "general.architecture");
  if (name && find_architecture(*name) != nullptr) return true;
  summary.warnings.push_back((name ? "architecture " + formats::shown_name(*name) + " is not supported"
                                   : "no architecture (metadata key 'general.architecture')") +
                             "; supported are " + supported_architectures());
  return false;
}

void add_tokenizer_warnings(const formats::GgufFile& file, ModelSummary& summary) {
  const auto kind = formats::find_string(file, "tokenizer.ggml.model");
  if (!kind) {
    summary.warnings.emplace_back(
        "no tokenizer (metadata key 'tokenizer.ggml.model'): text cannot be used with it");
  } else if (*kind != "gpt2") {
    summary.warnings.push_back("tokenizer " + formats::shown_name(*kind) +
                               " is not supported; supported is 'gpt2' (byte-level BPE)");
  }
  summary.chat_template = formats::find_string(file, kTemplateKey);
  if (!summary.chat_template) {
    summary.warnings.emplace_back(
        "no chat template (metadata key 'tokenizer.chat_template'): the model can complete text, not chat");
  }
}

}  // namespace

ModelSummary summarise_model(const formats::GgufFile& file, int context) {
  ModelSummary summary;
  summary.path = file.path();
  summary.file_bytes = file.file_bytes();
  summary.gguf_version = file.version();
  add_metadata(file, summary);
  add_tensors(file, summary);
  add_tokenizer_warnings(file, summary);
  if (!is_supported(file, summary)) return summary;
  check_weights(file);
  summary.config = read_model_config(file);
  const int limit = summary.config->max_context;
  if (context > limit) {
    summary.warnings.push_back("a context of " + std::to_string(context) + " tokens is beyond the " +
                               std::to_string(limit) + " that the model was trained for");
  }
  if (context > 0 && context < limit) summary.kv_memory.push_back(kv_memory(summary.config->shape, context));
  summary.kv_memory.push_back(kv_memory(summary.config->shape, limit));
  return summary;
}

}  // namespace parley::inference::model
