#include "storage/sqlite/write_ahead_log.h"

#include <gtest/gtest.h>

#include <string>

#include "storage/sqlite/sqlite_database.h"
#include "tests/fakes/file_bytes.h"
#include "tests/fakes/temp_directory.h"

namespace parley::storage::sqlite {
namespace {

constexpr std::size_t kFrameBytes = 24 + 4096;

// Logs are SQLite's own, read while the database is open: closing it would empty them.
class WriteAheadLogTest : public testing::Test {
 protected:
  WriteAheadLogTest() {
    database_.execute("PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0; CREATE TABLE t(x)");
  }

  void write(int num_rows) {
    for (int i = 0; i < num_rows; ++i) database_.execute("INSERT INTO t VALUES (randomblob(3000))");
  }
  std::string log() const { return tests::fakes::read_file(folder_.path() / "a.db-wal"); }
  bool is_damaged(const std::string& bytes) const {
    const auto copy = folder_.path() / "copy-wal";
    tests::fakes::write_file(copy, bytes);
    return is_damaged_log(copy);
  }

  tests::fakes::TempDirectory folder_;
  Database database_{folder_.path() / "a.db"};
};

TEST_F(WriteAheadLogTest, WhatSqliteWroteIsSound) {
  write(20);
  ASSERT_GT(log().size(), 32 + 20 * kFrameBytes);
  EXPECT_FALSE(is_damaged(log()));
}

TEST_F(WriteAheadLogTest, NoLogAndAnEmptyOneAreSound) {
  EXPECT_FALSE(is_damaged_log(folder_.path() / "missing-wal"));
  EXPECT_FALSE(is_damaged(""));
}

TEST_F(WriteAheadLogTest, OneFlippedBitAnywhereIsDamage) {
  write(5);
  const std::string healthy = log();
  for (std::size_t at = 0; at < 80; ++at) {
    std::string bytes = healthy;
    bytes[at] ^= 4;
    EXPECT_TRUE(is_damaged(bytes)) << at;
  }
  for (std::size_t at = 80; at + kFrameBytes < healthy.size(); at += 997) {
    std::string bytes = healthy;
    bytes[at] ^= 1;
    EXPECT_TRUE(is_damaged(bytes)) << at;
  }
}

TEST_F(WriteAheadLogTest, ALastFrameThatWasCutIsNoDamage) {
  write(5);
  const std::string healthy = log();
  for (const std::size_t cut : {std::size_t{1}, std::size_t{100}, kFrameBytes - 1}) {
    EXPECT_FALSE(is_damaged(healthy.substr(0, healthy.size() - cut))) << cut;
  }
}

TEST_F(WriteAheadLogTest, WhatIsLeftOfAnEarlierLogIsNoDamage) {
  write(20);
  const std::size_t long_log = log().size();
  database_.execute("PRAGMA wal_checkpoint(RESTART)");
  write(3);
  ASSERT_EQ(log().size(), long_log);
  EXPECT_FALSE(is_damaged(log()));
  std::string bytes = log();
  bytes[32 + 100] ^= 1;  // in a frame of today's
  EXPECT_TRUE(is_damaged(bytes));
}

}  // namespace
}  // namespace parley::storage::sqlite
