#pragma once
// An embedding model of the catalogue as retrieval's Embedder: WordPiece, encoder, prefixes. Any thread;
// embed blocks.

#include <filesystem>
#include <memory>

#include "inference/backend/backend.h"
#include "inference/engine/side_work.h"
#include "retrieval/search/embedder.h"

namespace parley::app::models {

class EmbeddingModel : public retrieval::search::Embedder {
 public:
  // For the engine that shares the pool.
  virtual std::shared_ptr<inference::engine::SideWork> side_work() const = 0;
};

// From a folder in the layout of sentence-transformers (model.safetensors, config.json, vocab.txt and what
// lies beside them). Throws std::runtime_error that names the file.
std::unique_ptr<EmbeddingModel> load_embedding_model(const std::filesystem::path& folder,
                                                     std::shared_ptr<kernels::cpu::ComputePool> pool);

}  // namespace parley::app::models
