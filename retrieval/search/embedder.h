#pragma once
// The seam to an embedding model: texts to unit vectors. Implementations say which thread; `embed` blocks.

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "retrieval/chunking/chunker.h"

namespace parley::retrieval::search {

enum class TextRole { query, passage };  // models put different prefixes before them

struct EmbeddedTexts {
  std::vector<float> rows;      // [texts, dim], each of length 1
  std::vector<int> num_tokens;  // of each text, prefix and special tokens included
};

class Embedder {
 public:
  virtual ~Embedder() = default;
  virtual EmbeddedTexts embed(std::span<const std::string> texts, TextRole role) = 0;
  virtual int dim() const = 0;
  virtual int max_tokens()
      const = 0;  // of a passage by `counter`; longer ones are embedded in parts and averaged
  // Changes whenever vectors would: weights, pooling, prefixes, normalisation.
  virtual std::string_view fingerprint() const = 0;
  virtual const chunking::TokenCounter& counter() const = 0;
};

}  // namespace parley::retrieval::search
