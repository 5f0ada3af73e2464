#include "storage/sqlite/sqlite_database.h"

#include <gtest/gtest.h>

#include "storage/sqlite/store_error.h"
#include "tests/fakes/temp_directory.h"

namespace parley::storage::sqlite {
namespace {

TEST(SqliteDatabase, BindsAndReadsEveryKindOfValue) {
  Database database{std::filesystem::path()};
  database.execute("CREATE TABLE t(a, b, c, d, e)");
  Statement insert(database, "INSERT INTO t VALUES (?1, ?2, ?3, ?4, ?5)");
  Query(insert, std::int64_t{-5}, 1.5, std::string_view("x\0y", 3), Blob{std::string_view("\0\xff", 2)},
        std::nullopt)
      .run();
  EXPECT_EQ(database.changes(), 1);
  Statement select(database, "SELECT * FROM t");
  Query row(select);
  ASSERT_TRUE(row.next());
  EXPECT_EQ(row.integer(0), -5);
  EXPECT_EQ(row.real(1), 1.5);
  EXPECT_EQ(row.text(2), std::string("x\0y", 3));
  EXPECT_EQ(row.blob(3), std::string_view("\0\xff", 2));
  EXPECT_TRUE(row.is_null(4));
  EXPECT_FALSE(row.next());
}

TEST(SqliteDatabase, AStatementCanRunAgainAfterAnUnfinishedRun) {
  Database database{std::filesystem::path()};
  Statement numbers(database, "SELECT 1 UNION ALL SELECT 2");
  for (int i = 0; i < 3; ++i) {
    Query query(numbers);
    ASSERT_TRUE(query.next());
    EXPECT_EQ(query.integer(0), 1);
  }
}

TEST(SqliteDatabase, ATransactionIsUndoneUnlessCommitted) {
  Database database{std::filesystem::path()};
  database.execute("CREATE TABLE t(a)");
  {
    Transaction transaction(database);
    database.execute("INSERT INTO t VALUES (1)");
    EXPECT_TRUE(database.in_transaction());
  }
  EXPECT_FALSE(database.in_transaction());
  EXPECT_EQ(database.integer("SELECT count(*) FROM t"), 0);
  {
    Transaction transaction(database);
    database.execute("INSERT INTO t VALUES (1)");
    transaction.commit();
  }
  EXPECT_EQ(database.integer("SELECT count(*) FROM t"), 1);
}

TEST(SqliteDatabase, ErrorsAreSentences) {
  Database database{std::filesystem::path()};
  try {
    Statement statement(database, "SELECT nonsense FROM nowhere");
    FAIL();
  } catch (const StoreError& error) {
    EXPECT_STREQ(error.what(), "The database: no such table: nowhere.");
  }
}

TEST(SqliteDatabase, ExtensionsAndForeignTokenizersAreOff) {
  Database database{std::filesystem::path()};
  EXPECT_THROW(database.execute("SELECT load_extension('x')"), StoreError);
  EXPECT_THROW(database.execute("SELECT fts3_tokenizer('simple', x'0102030405060708')"), StoreError);
  // Defensive mode: the schema table cannot be written by hand.
  EXPECT_THROW(database.execute("PRAGMA writable_schema = ON; CREATE TABLE t(a); DELETE FROM sqlite_schema"),
               StoreError);
}

TEST(SqliteDatabase, AFullDiskIsSaidSo) {
  const tests::fakes::TempDirectory folder;
  Database database(folder.path() / "full.db");
  database.execute("CREATE TABLE t(a); PRAGMA max_page_count = 5");
  try {
    database.execute("INSERT INTO t VALUES (zeroblob(100000))");
    FAIL();
  } catch (const StoreError& error) {
    const std::string text = error.what();
    EXPECT_NE(text.find("The disk is full"), std::string::npos) << text;
    EXPECT_NE(text.find("full.db"), std::string::npos) << text;
  }
  database.execute("INSERT INTO t VALUES (1)");
}

}  // namespace
}  // namespace parley::storage::sqlite
