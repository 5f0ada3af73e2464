#pragma once
// A model of random F32 weights small enough for any test, as a GGUF writer whose file can be spoilt on
// purpose. One thread; never fails.

#include <cmath>
#include <cstdint>
#include <random>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "tests/fakes/gguf_writer.h"

namespace parley::tests::fakes {

struct TinyModelOptions {
  std::string architecture = "llama";
  std::uint32_t num_layers = 2;
  std::uint32_t hidden_dim = 32;
  std::uint32_t num_heads = 4;
  std::uint32_t num_kv_heads = 2;
  std::uint32_t ffn_dim = 48;
  std::uint32_t vocab_size = 64;
  std::uint32_t context_length = 256;
  bool tied = true;
  bool qkv_biases = false;
  std::uint32_t seed = 1;
  // Keys (without the prefix of the architecture) and tensors that the file shall not have.
  std::set<std::string> omit = {};
};

class TinyModel {
 public:
  explicit TinyModel(TinyModelOptions options) : options_(std::move(options)), random_(options_.seed) {
    add_keys();
    add_tensors();
  }
  GgufWriter& writer() { return writer_; }
  std::string key(std::string_view name) const { return options_.architecture + "." + std::string(name); }

 private:
  void add_key(const char* name, auto value) {
    if (!options_.omit.contains(name)) writer_.add(key(name), value);
  }
  void add_tensor(const std::string& name, const std::vector<std::uint64_t>& dimensions, float scale) {
    std::uint64_t count = 1;
    for (const std::uint64_t size : dimensions) count *= size;
    std::vector<float> values(count);
    std::normal_distribution<float> normal;
    for (float& value : values) value = scale * normal(random_) + (dimensions.size() == 1 ? 1.0F : 0.0F);
    if (!options_.omit.contains(name)) writer_.add_f32(name, dimensions, values);
  }
  void add_matrix(const std::string& name, std::uint64_t rows, std::uint64_t columns) {
    add_tensor(name, {columns, rows}, 1.5F / std::sqrt(static_cast<float>(columns)));
  }

  void add_keys() {
    const TinyModelOptions& o = options_;
    if (!o.omit.contains("general.architecture")) writer_.add("general.architecture", o.architecture);
    writer_.add("general.name", "Tiny").add("general.file_type", 0U);
    add_key("block_count", o.num_layers);
    add_key("context_length", o.context_length);
    add_key("embedding_length", o.hidden_dim);
    add_key("feed_forward_length", o.ffn_dim);
    add_key("attention.head_count", o.num_heads);
    add_key("attention.head_count_kv", o.num_kv_heads);
    add_key("attention.layer_norm_rms_epsilon", 1e-5F);
  }

  void add_tensors() {
    const TinyModelOptions& o = options_;
    const std::uint64_t kv_dim = o.hidden_dim / o.num_heads * o.num_kv_heads;
    add_matrix("token_embd.weight", o.vocab_size, o.hidden_dim);
    for (std::uint32_t i = 0; i < o.num_layers; ++i) {
      const std::string layer = "blk." + std::to_string(i) + ".";
      add_tensor(layer + "attn_norm.weight", {o.hidden_dim}, 0.2F);
      add_matrix(layer + "attn_q.weight", o.hidden_dim, o.hidden_dim);
      add_matrix(layer + "attn_k.weight", kv_dim, o.hidden_dim);
      add_matrix(layer + "attn_v.weight", kv_dim, o.hidden_dim);
      if (o.qkv_biases) {
        add_tensor(layer + "attn_q.bias", {o.hidden_dim}, 0.5F);
        add_tensor(layer + "attn_k.bias", {kv_dim}, 0.5F);
        add_tensor(layer + "attn_v.bias", {kv_dim}, 0.5F);
      }
      add_matrix(layer + "attn_output.weight", o.hidden_dim, o.hidden_dim);
      add_tensor(layer + "ffn_norm.weight", {o.hidden_dim}, 0.2F);
      add_matrix(layer + "ffn_gate.weight", o.ffn_dim, o.hidden_dim);
      add_matrix(layer + "ffn_up.weight", o.ffn_dim, o.hidden_dim);
      add_matrix(layer + "ffn_down.weight", o.hidden_dim, o.ffn_dim);
    }
    add_tensor("output_norm.weight", {o.hidden_dim}, 0.2F);
    if (!o.tied) add_matrix("output.weight", o.vocab_size, o.hidden_dim);
  }

  TinyModelOptions options_;
  std::mt19937 random_;
  GgufWriter writer_;
};

}  // namespace parley::tests::fakes
