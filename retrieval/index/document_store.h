#pragma once
// Collections, their files and passages, full text and cached vectors: DIR/documents.db, the only truth and
// the only commit point. Everything else that search needs (vector segments) can be made from it again.
//
// Invariants:
// 1. A file has at most one generation of passages that answers; commit_file puts a new one in its place in
// one
//    transaction, and an update that fails leaves the old one answering.
// 2. What remove_files, remove_collection or commit_file takes away is in no answer from the moment they
// return.
// 3. Vectors belong to (model, hash of the text) and are stored before the passages that need them, so that
// nothing
//    is embedded twice, whatever happens.
//
// The writing methods (add_, set_, remove_, queue_, commit_, restamp_, fail_, rename_, cache_, clean_up)
// belong to one thread. The others may be called from any thread beside it, and see the state after some
// commit. Throws storage::sqlite::StoreError.

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "retrieval/index/passage_feed.h"
#include "retrieval/index/stored_document.h"

namespace parley::retrieval::index {

class DocumentStore {
 public:
  virtual ~DocumentStore() = default;

  // A name is unique; StoreError when it is taken.
  virtual Collection add_collection(const CollectionSettings& settings) = 0;
  virtual std::vector<Collection> collections() = 0;
  virtual void set_collection_state(CollectionId collection, CollectionState state,
                                    const std::string& reason) = 0;
  // Its files and passages are gone at once; their rows are deleted piece by piece by `clean_up`.
  virtual void remove_collection(CollectionId collection) = 0;

  // In the order of their paths' bytes. The callback must not use the store.
  virtual void for_each_file(CollectionId collection, const std::function<void(const FileRecord&)>& each) = 0;
  virtual std::optional<FileRecord> find_file(CollectionId collection, const std::string& path) = 0;
  // New or changed: to be read. What it answers with meanwhile stays. A durable queue of its own: see
  // next_files.
  virtual void queue_files(CollectionId collection, std::span<const FileToRead> files) = 0;
  // Files that are queued and due at `now` (milliseconds since 1970), newest first among the small ones.
  virtual std::vector<FileRecord> next_files(std::int64_t now_ms, int count) = 0;
  virtual void commit_file(const FileCommit& commit) = 0;
  // The file is as it was read before (hash and parser version alike): only its stamp is new.
  virtual void restamp_file(FileId file, const scan::FileStamp& stamp) = 0;
  // Not read: `failed` for good, or tried again at `retry_at_ms`. Passages of an earlier generation go on
  // answering.
  virtual void fail_file(FileId file, const FileFailure& failure) = 0;
  // One row changes; passages and vectors stay.
  virtual void rename_file(FileId file, const std::string& path, const scan::FileStamp& stamp) = 0;
  virtual void remove_files(std::span<const FileId> files) = 0;
  // Deletes what nothing answers with any more, at most about `rows` rows; false: nothing is left to delete.
  virtual bool clean_up(int rows) = 0;

  virtual CollectionCounts counts(CollectionId collection) = 0;
  virtual std::vector<FileRecord> failed_files(CollectionId collection, int limit) = 0;

  // Passages by id, in that order; ids that answer no more are left out.
  virtual std::vector<StoredPassage> passages(std::span<const PassageId> ids) = 0;
  // The whole text of a file as it was read, for the page that opens a citation.
  virtual std::optional<StoredText> text_of(FileId file) = 0;

  // Best first. `terms` as analysed by search/; collections: empty is all. What is in very many passages is
  // left out of a search that would take too long with it.
  virtual std::vector<ScoredPassage> match_text(const TextQuery& query,
                                                std::span<const CollectionId> collections, int limit) = 0;

  // Passages that came and went since a mark, at most about `count` of each; FeedMark{} is the beginning. A
  // follower that comes late may miss some that went: they are among passages() no more.
  virtual PassageChanges changes_since(const FeedMark& mark, int count) = 0;

  // The vectors of texts that were embedded before by this model, each in the place of its hash; empty: not
  // there.
  virtual std::vector<std::vector<float>> cached_vectors(const std::string& model,
                                                         std::span<const TextHash> texts) = 0;
  virtual void cache_vectors(const std::string& model, std::span<const TextHash> texts,
                             std::span<const std::vector<float>> vectors) = 0;
};

// Makes or opens `data_dir`/documents.db; the caller holds the folder's lock (storage/sqlite/folder_lock.h).
// A damaged file is set aside and a new one begun; `report` says so.
std::unique_ptr<DocumentStore> open_document_store(const std::filesystem::path& data_dir,
                                                   std::string& report);

}  // namespace parley::retrieval::index
