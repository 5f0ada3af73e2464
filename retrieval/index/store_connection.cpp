#include "retrieval/index/store_connection.h"

#include <utility>

namespace parley::retrieval::index {
namespace {

constexpr int kMaxReaders = 4;  // each has a page cache of its own

}  // namespace

StoreConnection::StoreConnection(Database opened) : database(std::move(opened)) {}

std::unique_ptr<StoreConnection> open_writer(const std::filesystem::path& file) {
  Database database(file);
  database.execute(
      "PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; PRAGMA temp_store = MEMORY;"
      "PRAGMA cell_size_check = ON; PRAGMA journal_size_limit = 67108864; PRAGMA busy_timeout = 5000;"
      "PRAGMA cache_size = -65536; PRAGMA wal_autocheckpoint = 4000");
  return std::make_unique<StoreConnection>(std::move(database));
}

std::unique_ptr<StoreConnection> open_reader(const std::filesystem::path& file) {
  Database database(file);
  database.execute(
      "PRAGMA wal_autocheckpoint = 0; PRAGMA query_only = ON; PRAGMA temp_store = MEMORY;"
      "PRAGMA cell_size_check = ON; PRAGMA busy_timeout = 5000; PRAGMA cache_size = -32768");
  return std::make_unique<StoreConnection>(std::move(database));
}

std::unique_ptr<StoreConnection> ReaderPool::take() {
  std::unique_lock lock(mutex_);
  returned_.wait(lock, [this] { return !idle_.empty() || open_ < kMaxReaders; });
  if (!idle_.empty()) {
    auto reader = std::move(idle_.back());
    idle_.pop_back();
    return reader;
  }
  auto reader = open_reader(file_);
  ++open_;
  return reader;
}

void ReaderPool::put_back(std::unique_ptr<StoreConnection> reader) {
  {
    const std::lock_guard lock(mutex_);
    idle_.push_back(std::move(reader));
  }
  returned_.notify_one();
}

ReaderPool::Lease::Lease(ReaderPool& pool) : pool_(pool), reader_(pool.take()) {
  try {
    reader_->database.execute("BEGIN");
  } catch (...) {
    pool_.put_back(std::move(reader_));
    throw;
  }
}

ReaderPool::Lease::~Lease() {
  try {
    reader_->database.execute("ROLLBACK");  // nothing was written
  } catch (const StoreError&) {
    // SQLite has ended the transaction by itself, as it does after errors of the disk.
  }
  pool_.put_back(std::move(reader_));
}

}  // namespace parley::retrieval::index
