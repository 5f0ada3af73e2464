#pragma once
// The retriever of the product: full text and, with an embedding model, nearest vectors, fused. Any thread;
// it must not outlive the store and the embedder. Throws storage::sqlite::StoreError, and what the embedder
// throws.

#include <filesystem>
#include <memory>

#include "retrieval/index/document_store.h"
#include "retrieval/search/embedder.h"
#include "retrieval/search/retriever.h"

namespace parley::retrieval::search {

struct HybridOptions {
  Embedder* embedder = nullptr;       // null: full text alone, and the answer's note says so
  std::filesystem::path vector_file;  // where the vector index is kept between runs; empty: it is not
};

std::unique_ptr<Retriever> make_hybrid_retriever(index::DocumentStore& store, const HybridOptions& options);

}  // namespace parley::retrieval::search
