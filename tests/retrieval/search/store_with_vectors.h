#pragma once
// A store whose passages are embedded by a ToyEmbedder before they are committed. One thread.

#include "tests/retrieval/index/sample_documents.h"
#include "tests/retrieval/search/toy_embedder.h"

namespace parley::retrieval::search {

class StoreWithVectors : public index::StoreOnDisk {
 public:
  explicit StoreWithVectors(const ToyEmbedder& embedder) : embedder_(embedder) {}

  void embed(const std::vector<std::string>& passages) {
    std::vector<index::TextHash> hashes;
    std::vector<std::vector<float>> vectors;
    for (const std::string& passage : passages) {
      hashes.push_back(index::hash_text(passage));
      vectors.push_back(embedder_.vector_of(passage));
    }
    store->cache_vectors(std::string(embedder_.fingerprint()), hashes, vectors);
  }
  index::FileId embedded(index::CollectionId in, const std::string& path, const std::string& text,
                         std::int64_t time = 1) {
    std::vector<std::string> passages;
    for (const chunking::Chunk& chunk : index::a_chunk_a_line(text)) passages.push_back(chunk.text);
    embed(passages);
    return file_with(in, path, text, time);
  }

 private:
  const ToyEmbedder& embedder_;
};

}  // namespace parley::retrieval::search
