#include "retrieval/index/document_store.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "retrieval/index/clean_up.h"
#include "retrieval/index/index_schema.h"
#include "retrieval/index/store_connection.h"
#include "storage/sqlite/database_file.h"

namespace parley::retrieval::index {
namespace {

std::int64_t unix_millis() {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::milliseconds>(now).count();
}

class SqliteDocumentStore : public DocumentStore {
 public:
  explicit SqliteDocumentStore(const std::filesystem::path& file)
      : writer_(open_writer(file)), readers_(file) {}

  Collection add_collection(const CollectionSettings& settings) override;
  std::vector<Collection> collections() override { return reader()->collections.all(); }
  void set_collection_state(CollectionId collection, CollectionState state,
                            const std::string& reason) override {
    writer_->collections.set_state(collection, state, reason);
  }
  void remove_collection(CollectionId collection) override { writer_->collections.mark_removed(collection); }

  void for_each_file(CollectionId collection, const std::function<void(const FileRecord&)>& each) override {
    reader()->files.for_each(collection, each);
  }
  std::optional<FileRecord> find_file(CollectionId collection, const std::string& path) override {
    return reader()->files.find(collection, path);
  }
  void queue_files(CollectionId collection, std::span<const FileToRead> files) override;
  std::vector<FileRecord> next_files(std::int64_t now_ms, int count) override {
    return reader()->files.next(now_ms, count);
  }
  void commit_file(const FileCommit& commit) override;
  void restamp_file(FileId file, const scan::FileStamp& stamp) override {
    writer_->files.restamp(file, stamp);
  }
  void fail_file(FileId file, const FileFailure& failure) override;
  void rename_file(FileId file, const std::string& path, const scan::FileStamp& stamp) override;
  void remove_files(std::span<const FileId> files) override;
  bool clean_up(int rows) override;

  CollectionCounts counts(CollectionId collection) override { return reader()->files.counts(collection); }
  std::vector<FileRecord> failed_files(CollectionId collection, int limit) override {
    return reader()->files.failed(collection, limit);
  }

  std::vector<StoredPassage> passages(std::span<const PassageId> ids) override;
  std::optional<StoredText> text_of(FileId file) override;
  std::vector<ScoredPassage> match_text(const TextQuery& query, std::span<const CollectionId> collections,
                                        int limit) override {
    return reader()->matches.find(query, collections, limit);
  }
  PassageChanges changes_since(const FeedMark& mark, int count) override;

  std::vector<std::vector<float>> cached_vectors(const std::string& model,
                                                 std::span<const TextHash> texts) override;
  void cache_vectors(const std::string& model, std::span<const TextHash> texts,
                     std::span<const std::vector<float>> vectors) override;

 private:
  ReaderPool::Lease reader() { return ReaderPool::Lease(readers_); }
  void drop(const FilePlace& place) { writer_->gone.add(place.collection, place.generation); }

  std::unique_ptr<StoreConnection> writer_;
  ReaderPool readers_;  // closed before the writer
};

Collection SqliteDocumentStore::add_collection(const CollectionSettings& settings) {
  Transaction transaction(writer_->database);
  Collection collection = writer_->collections.add(settings, unix_millis());
  transaction.commit();
  return collection;
}

void SqliteDocumentStore::queue_files(CollectionId collection, std::span<const FileToRead> files) {
  Transaction transaction(writer_->database);
  for (const FileToRead& file : files) writer_->files.queue(collection, file);
  transaction.commit();
}

void SqliteDocumentStore::commit_file(const FileCommit& commit) {
  Transaction transaction(writer_->database);
  const std::optional<FilePlace> place = writer_->files.place(commit.file);
  if (!place) return;  // removed while it was read
  const Generation generation = writer_->passages.add(commit, place->collection);
  writer_->files.commit(commit, generation);
  drop(*place);
  transaction.commit();
}

void SqliteDocumentStore::fail_file(FileId file, const FileFailure& failure) {
  Transaction transaction(writer_->database);
  const std::optional<FilePlace> place = writer_->files.place(file);
  if (!place) return;
  writer_->files.fail(file, failure);
  if (failure.drop_passages) {
    writer_->files.drop_generation(file);
    drop(*place);
  }
  transaction.commit();
}

void SqliteDocumentStore::rename_file(FileId file, const std::string& path, const scan::FileStamp& stamp) {
  Transaction transaction(writer_->database);
  const std::optional<FilePlace> place = writer_->files.place(file);
  if (!place) return;
  const std::optional<FilePlace> replaced = writer_->files.place_at(place->collection, path);
  if (replaced && replaced->file != file) {
    writer_->files.erase(replaced->file);
    drop(*replaced);
  }
  writer_->files.rename(file, path, stamp);
  transaction.commit();
}

void SqliteDocumentStore::remove_files(std::span<const FileId> files) {
  Transaction transaction(writer_->database);
  for (const FileId file : files) {
    const std::optional<FilePlace> place = writer_->files.place(file);
    if (!place) continue;
    writer_->files.erase(file);
    drop(*place);
  }
  transaction.commit();
}

bool SqliteDocumentStore::clean_up(int rows) {
  Transaction transaction(writer_->database);
  const bool more = clean_up_rows(*writer_, rows);
  transaction.commit();
  return more;
}

std::vector<StoredPassage> SqliteDocumentStore::passages(std::span<const PassageId> ids) {
  std::vector<StoredPassage> found;
  const ReaderPool::Lease lease = reader();
  for (const PassageId id : ids) {
    if (auto passage = lease->passages.find(id)) found.push_back(std::move(*passage));
  }
  return found;
}

std::optional<StoredText> SqliteDocumentStore::text_of(FileId file) {
  const ReaderPool::Lease lease = reader();
  return lease->passages.text_of(file);
}

PassageChanges SqliteDocumentStore::changes_since(const FeedMark& mark, int count) {
  PassageChanges changes;
  changes.mark = mark;
  const ReaderPool::Lease lease = reader();
  changes.added = lease->passages.keys_after(mark.passage, count);
  if (!changes.added.empty()) changes.mark.passage = changes.added.back().id;
  const std::vector<GoneGeneration> gone = lease->gone.after(mark.gone, count);
  for (const GoneGeneration& generation : gone) {
    changes.gone.push_back(generation.passages);
    changes.mark.gone = generation.id;
  }
  changes.more = static_cast<int>(std::max(changes.added.size(), gone.size())) == count;
  return changes;
}

std::vector<std::vector<float>> SqliteDocumentStore::cached_vectors(const std::string& model,
                                                                    std::span<const TextHash> texts) {
  std::vector<std::vector<float>> vectors(texts.size());
  const ReaderPool::Lease lease = reader();
  const std::optional<std::int64_t> id = lease->vectors.find_model(model);
  if (!id) return vectors;
  for (std::size_t i = 0; i < texts.size(); ++i) vectors[i] = lease->vectors.find(*id, texts[i]);
  return vectors;
}

void SqliteDocumentStore::cache_vectors(const std::string& model, std::span<const TextHash> texts,
                                        std::span<const std::vector<float>> vectors) {
  Transaction transaction(writer_->database);
  const std::int64_t id = writer_->vectors.add_model(model);
  const std::size_t count = std::min(texts.size(), vectors.size());
  for (std::size_t i = 0; i < count; ++i) writer_->vectors.add(id, texts[i], vectors[i]);
  transaction.commit();
}

std::string words_of(const storage::sqlite::OpenReport& report) {
  if (!report.corrupt_copy.empty()) {
    return "The index of documents was damaged and is kept at " + report.corrupt_copy.string() +
           ". A new one is begun: add the folders again.";
  }
  if (!report.damaged_log_copy.empty()) {
    return "The last changes to the index of documents were damaged and are kept at " +
           report.damaged_log_copy.string() + ". The folders are looked through again.";
  }
  return {};
}

}  // namespace

std::unique_ptr<DocumentStore> open_document_store(const std::filesystem::path& data_dir,
                                                   std::string& report) {
  std::filesystem::create_directories(data_dir);
  const std::filesystem::path file = data_dir / "documents.db";
  storage::sqlite::OpenReport found;
  // Checks the file with all others locked out; that connection is closed again.
  storage::sqlite::open_database_file(file, index_schema(), {}, found);
  report = words_of(found);
  return std::make_unique<SqliteDocumentStore>(file);
}

}  // namespace parley::retrieval::index
