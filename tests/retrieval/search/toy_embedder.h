#pragma once
// An embedder for tests that knows topics: each word it was told belongs to one dimension, other words to
// none. One thread.

#include <cmath>
#include <map>
#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>

#include "retrieval/search/embedder.h"

namespace parley::retrieval::search {

class SpaceCounter : public chunking::TokenCounter {
 public:
  int count(std::string_view text) const override {
    return 1 + static_cast<int>(std::count(text.begin(), text.end(), ' '));
  }
};

class ToyEmbedder : public Embedder {
 public:
  explicit ToyEmbedder(std::map<std::string, int> topics, std::string fingerprint = "toy")
      : topics_(std::move(topics)), fingerprint_(std::move(fingerprint)) {}

  EmbeddedTexts embed(std::span<const std::string> texts, TextRole) override {
    EmbeddedTexts result;
    for (const std::string& text : texts) {
      const std::vector<float> vector = vector_of(text);
      result.rows.insert(result.rows.end(), vector.begin(), vector.end());
      result.num_tokens.push_back(counter_.count(text));
    }
    return result;
  }
  std::vector<float> vector_of(const std::string& text) const {
    std::vector<float> vector(static_cast<std::size_t>(dim()), 0.0F);
    vector.back() = 0.1F;  // never zero
    std::istringstream words(text);
    for (std::string word; words >> word;) {
      if (const auto topic = topics_.find(word); topic != topics_.end())
        vector[static_cast<std::size_t>(topic->second)] += 1.0F;
    }
    float length = 0.0F;
    for (const float value : vector) length += value * value;
    for (float& value : vector) value /= std::sqrt(length);
    return vector;
  }
  int dim() const override { return 8; }
  int max_tokens() const override { return 256; }
  std::string_view fingerprint() const override { return fingerprint_; }
  const chunking::TokenCounter& counter() const override { return counter_; }

 private:
  std::map<std::string, int> topics_;
  std::string fingerprint_;
  SpaceCounter counter_;
};

}  // namespace parley::retrieval::search
