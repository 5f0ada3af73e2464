#pragma once
// Rows of `files`, without transactions of its own. Files of a removed collection are seen by nobody but
// first_files. The connection's thread. Throws StoreError.

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "retrieval/index/sqlite.h"
#include "retrieval/index/stored_document.h"

namespace parley::retrieval::index {

// The passages and the text of a file that answer.
struct Generation {
  PassageId first_passage = 0;
  int num_passages = 0;
  std::optional<std::int64_t> text;
};

struct FilePlace {
  FileId file = 0;
  CollectionId collection = 0;
  Generation generation;
};

class FileTable {
 public:
  explicit FileTable(Database& database);

  std::optional<FileRecord> find(CollectionId collection, const std::string& path);
  void for_each(CollectionId collection, const std::function<void(const FileRecord&)>& each);
  std::vector<FileRecord> next(std::int64_t now_ms, int count);
  std::vector<FileRecord> failed(CollectionId collection, int limit);
  CollectionCounts counts(CollectionId collection);

  std::optional<FilePlace> place(FileId file);
  std::optional<FilePlace> place_at(CollectionId collection, const std::string& path);
  std::vector<FilePlace> first_files(CollectionId collection, int count);
  bool has_queued();

  void queue(CollectionId collection, const FileToRead& file);
  // Stays queued when it was queued for a later stamp than the one that was read.
  void commit(const FileCommit& commit, const Generation& generation);
  void restamp(FileId file, const scan::FileStamp& stamp);
  void fail(FileId file, const FileFailure& failure);
  void drop_generation(FileId file);
  void rename(FileId file, const std::string& path, const scan::FileStamp& stamp);
  void erase(FileId file);

 private:
  Statement find_;
  Statement each_;
  Statement next_;
  Statement failed_;
  Statement counts_;
  Statement place_;
  Statement place_at_;
  Statement first_files_;
  Statement has_queued_;
  Statement queue_;
  Statement commit_;
  Statement restamp_;
  Statement fail_;
  Statement drop_generation_;
  Statement rename_;
  Statement erase_;
};

}  // namespace parley::retrieval::index
