#pragma once
// A connection to documents.db with all its statements, prepared once; and the reading ones beside the
// writer.
//
// SQLite before 3.51.3 can lose commits when two connections write or checkpoint at the same moment. So there
// is one that does either; the others only read: they refuse to write, never checkpoint, and are closed
// before it. What they read is the state after some commit, and they neither wait for the writer nor hold it
// up. Other processes are kept out by the lock of the data folder (storage/sqlite/folder_lock.h), and seen
// when the file is opened.

#include <condition_variable>
#include <filesystem>
#include <memory>
#include <mutex>
#include <vector>

#include "retrieval/index/collection_table.h"
#include "retrieval/index/file_table.h"
#include "retrieval/index/gone_table.h"
#include "retrieval/index/passage_table.h"
#include "retrieval/index/sqlite.h"
#include "retrieval/index/text_match.h"
#include "retrieval/index/text_table.h"
#include "retrieval/index/vector_table.h"

namespace parley::retrieval::index {

// One thread at a time.
struct StoreConnection {
  explicit StoreConnection(Database opened);
  StoreConnection(const StoreConnection&) = delete;
  StoreConnection& operator=(const StoreConnection&) = delete;

  Database database;
  CollectionTable collections{database};
  FileTable files{database};
  GoneTable gone{database};
  TextTable texts{database};
  PassageTable passages{database, texts};
  VectorTable vectors{database};
  TextMatch matches{database, passages};
};

std::unique_ptr<StoreConnection> open_writer(const std::filesystem::path& file);
std::unique_ptr<StoreConnection> open_reader(const std::filesystem::path& file);

// Any thread. As many searches run at once as there are readers; others wait.
class ReaderPool {
 public:
  explicit ReaderPool(std::filesystem::path file) : file_(std::move(file)) {}

  // One reader, within one transaction: everything that is read comes from the same state.
  class Lease {
   public:
    explicit Lease(ReaderPool& pool);
    ~Lease();
    Lease(const Lease&) = delete;
    Lease& operator=(const Lease&) = delete;
    StoreConnection* operator->() const { return reader_.get(); }
    StoreConnection& operator*() const { return *reader_; }

   private:
    ReaderPool& pool_;
    std::unique_ptr<StoreConnection> reader_;
  };

 private:
  std::unique_ptr<StoreConnection> take();
  void put_back(std::unique_ptr<StoreConnection> reader);

  std::filesystem::path file_;
  std::mutex mutex_;
  std::condition_variable returned_;
  std::vector<std::unique_ptr<StoreConnection>> idle_;
  int open_ = 0;
};

}  // namespace parley::retrieval::index
