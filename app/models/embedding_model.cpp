#include "app/models/embedding_model.h"

#include <openssl/evp.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <utility>

#include "app/models/embedding_runner.h"
#include "inference/encoder/encoder.h"
#include "inference/encoder/pooling.h"
#include "inference/tokenizer/word_piece.h"

namespace parley::app::models {
namespace {

namespace encoder = inference::encoder;
namespace fs = std::filesystem;
using encoder::TokenIds;
using inference::tokenizer::WordPiece;
using retrieval::search::EmbeddedTexts;
using retrieval::search::TextRole;

constexpr int kSpecialTokens = 2;
// Raised when our own arithmetic changes vectors: they are made anew.
constexpr const char* kArithmetic = "int8 blocks of 32, 1";

class WordPieceCounter final : public retrieval::chunking::TokenCounter {
 public:
  explicit WordPieceCounter(const WordPiece& words) : words_(words) {}
  int count(std::string_view text) const override { return static_cast<int>(words_.count(text)); }

 private:
  const WordPiece& words_;
};

std::string read_whole(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  if (!in) throw std::runtime_error(file.string() + " cannot be read; fetch the model again");
  return {std::istreambuf_iterator<char>(in), {}};
}

std::string hex_digest(EVP_MD_CTX* digest) {
  std::array<unsigned char, EVP_MAX_MD_SIZE> bytes{};
  unsigned size = 0;
  EVP_DigestFinal_ex(digest, bytes.data(), &size);
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string text;
  for (unsigned i = 0; i < size; ++i) {
    text += kDigits[bytes[i] >> 4];
    text += kDigits[bytes[i] & 15];
  }
  return text;
}

// Of everything that vectors depend on: the files whole, and how they are computed.
std::string fingerprint_of(const fs::path& folder) {
  const std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> digest(EVP_MD_CTX_new(), EVP_MD_CTX_free);
  if (!digest || EVP_DigestInit_ex(digest.get(), EVP_sha256(), nullptr) != 1) {
    throw std::runtime_error("SHA-256 cannot be computed here: OpenSSL refuses it.");
  }
  for (const char* name :
       {"model.safetensors", "vocab.txt", "config.json", "1_Pooling/config.json", "modules.json",
        "sentence_bert_config.json", "config_sentence_transformers.json", "tokenizer_config.json"}) {
    std::ifstream in(folder / name, std::ios::binary);
    EVP_DigestUpdate(digest.get(), name, std::string_view(name).size() + 1);
    std::vector<char> piece(std::size_t{1} << 20);
    while (in) {
      in.read(piece.data(), static_cast<std::streamsize>(piece.size()));
      EVP_DigestUpdate(digest.get(), piece.data(), static_cast<std::size_t>(in.gcount()));
    }
  }
  EVP_DigestUpdate(digest.get(), kArithmetic, std::string_view(kArithmetic).size());
  return hex_digest(digest.get());
}

class LocalEmbeddingModel final : public EmbeddingModel {
 public:
  LocalEmbeddingModel(const fs::path& folder, std::shared_ptr<kernels::cpu::ComputePool> pool)
      : config_(encoder::read_encoder_config(folder)),
        words_(read_whole(folder / "vocab.txt"), config_.words),
        counter_(words_),
        fingerprint_(fingerprint_of(folder)),
        pool_(std::move(pool)),
        runner_(make_runner(folder)) {}

  EmbeddedTexts embed(std::span<const std::string> texts, TextRole role) override {
    const std::string& prefix = role == TextRole::query ? config_.query_prefix : config_.passage_prefix;
    EmbeddedTexts embedded;
    std::vector<TokenIds> sequences;
    std::vector<std::size_t> parts;  // of each text
    for (const auto& text : texts) {
      const TokenIds ids = words_.encode(prefix + text);
      embedded.num_tokens.push_back(static_cast<int>(ids.size()) + kSpecialTokens);
      parts.push_back(append_parts(ids, sequences));
    }
    const auto urgency =
        role == TextRole::query ? EmbeddingRunner::Urgency::now : EmbeddingRunner::Urgency::in_turn;
    embedded.rows = join_parts(runner_->embed(sequences, urgency), parts);
    return embedded;
  }

  int dim() const override { return config_.hidden_dim; }
  int max_tokens() const override {
    return config_.max_tokens - kSpecialTokens - counter_.count(config_.passage_prefix);
  }
  std::string_view fingerprint() const override { return fingerprint_; }
  const retrieval::chunking::TokenCounter& counter() const override { return counter_; }
  std::shared_ptr<inference::engine::SideWork> side_work() const override { return runner_; }

 private:
  // What does not fit into one sequence becomes several. Returns how many.
  std::size_t append_parts(const TokenIds& ids, std::vector<TokenIds>& sequences) const {
    const auto room = static_cast<std::size_t>(config_.max_tokens - kSpecialTokens);
    const std::size_t count = std::max<std::size_t>(1, (ids.size() + room - 1) / room);
    for (std::size_t part = 0; part < count; ++part) {
      const auto first = ids.begin() + static_cast<std::ptrdiff_t>(ids.size() * part / count);
      const auto last = ids.begin() + static_cast<std::ptrdiff_t>(ids.size() * (part + 1) / count);
      TokenIds& sequence = sequences.emplace_back(TokenIds{words_.begin_id()});
      sequence.insert(sequence.end(), first, last);
      sequence.push_back(words_.end_id());
    }
    return count;
  }

  // The direction of the parts' sum: they are about equally long.
  std::vector<float> join_parts(std::vector<float> rows, const std::vector<std::size_t>& parts) const {
    const auto dim = static_cast<std::size_t>(config_.hidden_dim);
    if (rows.size() == parts.size() * dim) return rows;
    std::vector<float> joined;
    const float* row = rows.data();
    for (const std::size_t count : parts) {
      std::vector<float> sum(row, row + dim);
      for (std::size_t part = 1; part < count; ++part) {
        for (std::size_t i = 0; i < dim; ++i) sum[i] += row[part * dim + i];
      }
      row += count * dim;
      encoder::pool_tokens(sum, encoder::Pooling::first, config_.normalise, sum);
      joined.insert(joined.end(), sum.begin(), sum.end());
    }
    return joined;
  }

  std::shared_ptr<EmbeddingRunner> make_runner(const fs::path& folder) {
    const auto file = inference::formats::open_safetensors(folder / "model.safetensors");
    auto made = encoder::make_cpu_encoder(config_, encoder::find_encoder_weights(*file, config_), *pool_);
    if (!file->is_unchanged()) {
      throw std::runtime_error((folder / "model.safetensors").string() +
                               " was written to while it was being loaded; try again when it is complete");
    }
    return std::make_shared<EmbeddingRunner>(std::move(made), config_.hidden_dim);
  }

  const encoder::EncoderConfig config_;
  const WordPiece words_;
  const WordPieceCounter counter_;
  const std::string fingerprint_;
  const std::shared_ptr<kernels::cpu::ComputePool> pool_;
  const std::shared_ptr<EmbeddingRunner> runner_;
};

}  // namespace

std::unique_ptr<EmbeddingModel> load_embedding_model(const fs::path& folder,
                                                     std::shared_ptr<kernels::cpu::ComputePool> pool) {
  return std::make_unique<LocalEmbeddingModel>(folder, std::move(pool));
}

}  // namespace parley::app::models
