#pragma once
// Vectors by model and text, as IEEE halves: what the vector index re-scores from. Without transactions of
// its own. The connection's thread. Throws StoreError.

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "retrieval/index/sqlite.h"
#include "retrieval/index/stored_document.h"

namespace parley::retrieval::index {

class VectorTable {
 public:
  explicit VectorTable(Database& database);

  std::optional<std::int64_t> find_model(const std::string& fingerprint);
  std::int64_t add_model(const std::string& fingerprint);
  // Empty: not there.
  std::vector<float> find(std::int64_t model, const TextHash& text);
  void add(std::int64_t model, const TextHash& text, std::span<const float> vector);
  void erase(const TextHash& text);

  // Texts that may be used by no passage any more.
  void mark_loose(const TextHash& text);
  std::vector<TextHash> loose(int count);
  void forget_loose(const TextHash& text);

 private:
  Statement find_model_;
  Statement add_model_;
  Statement find_;
  Statement add_;
  Statement erase_;
  Statement mark_loose_;
  Statement loose_;
  Statement forget_loose_;
};

}  // namespace parley::retrieval::index
