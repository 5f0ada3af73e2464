#pragma once
// A vector index that follows the document store: passages that came are added with the vectors that the
// store has cached for the model, passages that went are taken out. Vectors that are cached later are added
// when they are there. Any thread: searches run side by side, one refresh at a time beside them. Throws
// storage::sqlite::StoreError.

#include <cstdint>
#include <filesystem>
#include <memory>
#include <mutex>
#include <shared_mutex>
#include <span>
#include <string>
#include <vector>

#include "retrieval/index/document_store.h"
#include "retrieval/index/vector_index.h"

namespace parley::retrieval::search {

struct FollowedModel {
  std::string fingerprint;
  int dim = 0;
  // Where the index is kept between runs; empty: it is not. A file that cannot be believed is made anew.
  std::filesystem::path file;
};

class VectorFollower {
 public:
  VectorFollower(index::DocumentStore& store, FollowedModel model);
  ~VectorFollower();  // saves what changed
  VectorFollower(const VectorFollower&) = delete;
  VectorFollower& operator=(const VectorFollower&) = delete;

  // Up to the store's last commit.
  void refresh();
  std::vector<index::ScoredPassage> search(std::span<const float> query,
                                           std::span<const index::CollectionId> collections, int limit) const;
  // Passages that answer and have no vector of this model, as of the last refresh.
  std::size_t num_missing() const;

 private:
  struct SlotOwner {
    index::PassageId passage = 0;
    index::CollectionId collection = 0;
  };
  using Keys = std::vector<index::PassageKey>;

  void load();
  void adopt(std::unique_ptr<index::VectorIndex> index, const Keys& answering);
  index::PassageChanges all_changes();
  std::size_t add_cached(std::span<const index::PassageKey> keys, Keys& missing);
  void retry_missing();
  void take_out(std::span<const index::PassageRange> gone);
  void fold_into_file();
  std::vector<std::uint64_t> filter_of(std::span<const index::CollectionId> collections) const;

  index::DocumentStore& store_;
  FollowedModel model_;

  std::mutex refresh_mutex_;  // of the three below
  index::FeedMark mark_;
  bool loaded_ = false;
  std::size_t num_unsaved_ = 0;

  mutable std::shared_mutex mutex_;  // of what is below; searches share it
  std::unique_ptr<index::VectorIndex> index_;
  std::vector<SlotOwner> owners_;  // of each slot of the index
  Keys missing_;
};

}  // namespace parley::retrieval::search
