// What answers no more is deleted in pieces, and what is left behind is whole.
#include <gtest/gtest.h>

#include <algorithm>

#include "storage/sqlite/sqlite_database.h"
#include "tests/retrieval/index/sample_documents.h"

namespace parley::retrieval::index {
namespace {

std::string lines(const std::string& word, int count) {
  std::string text;
  for (int i = 0; i < count; ++i) text += word + " number" + std::to_string(i) + "\n";
  return text;
}

std::int64_t rows_of(const StoreOnDisk& on_disk, const std::string& table) {
  storage::sqlite::Database database(on_disk.folder.path() / "documents.db");
  return database.integer(("SELECT count(*) FROM " + table).c_str());
}

// FTS5 compares its index with the sizes it keeps; a wrong deletion leaves words behind.
std::int64_t words_left(const StoreOnDisk& on_disk) {
  storage::sqlite::Database database(on_disk.folder.path() / "documents.db");
  database.execute("CREATE VIRTUAL TABLE temp.words USING fts5vocab(main, passage_terms, row)");
  return database.integer("SELECT count(*) FROM temp.words");
}

TEST(CleanUp, HasNothingToDoAtFirst) {
  StoreOnDisk on_disk;
  EXPECT_FALSE(on_disk.store->clean_up(100));
  on_disk.file_with(on_disk.collection("docs"), "a.txt", "apple");
  EXPECT_FALSE(on_disk.store->clean_up(100));
  EXPECT_EQ(on_disk.texts({"apple"}), Texts{"apple"});
}

TEST(CleanUp, GoesOnPieceByPiece) {
  StoreOnDisk on_disk;
  const CollectionId docs = on_disk.collection("docs");
  const FileId file = on_disk.file_with(docs, "a.txt", lines("apple", 25));
  on_disk.file_with(docs, "b.txt", "apple pie");
  const std::vector<FileId> files = {file};
  on_disk.store->remove_files(files);
  int calls = 0;
  while (on_disk.store->clean_up(10)) {
    ++calls;
    EXPECT_EQ(on_disk.texts({"apple"}), Texts{"apple pie"});
    EXPECT_EQ(rows_of(on_disk, "passages"), std::max(1, 26 - 10 * calls));
    ASSERT_LT(calls, 100);
  }
  EXPECT_GE(calls, 3);
  EXPECT_EQ(rows_of(on_disk, "passages"), 1);
  EXPECT_EQ(rows_of(on_disk, "texts"), 1);
  EXPECT_EQ(rows_of(on_disk, "text_blocks"), 1);
  EXPECT_EQ(rows_of(on_disk, "gone"), 0);
  EXPECT_EQ(words_left(on_disk), 5);  // appl, pie, their forms, c1
}

TEST(CleanUp, TakesARemovedCollectionApart) {
  StoreOnDisk on_disk;
  const CollectionId docs = on_disk.collection("docs");
  for (int i = 0; i < 5; ++i) on_disk.file_with(docs, std::to_string(i), lines("日本語 getName", 3));
  on_disk.file(docs, "queued.txt");
  on_disk.store->remove_collection(docs);
  while (on_disk.store->clean_up(2)) {
  }
  for (const char* table : {"collections", "files", "passages", "texts", "text_blocks", "gone"})
    EXPECT_EQ(rows_of(on_disk, table), 0) << table;
  EXPECT_EQ(words_left(on_disk), 0);
}

TEST(CleanUp, ForgetsVectorsOfTextsThatNoPassageHas) {
  StoreOnDisk on_disk;
  const CollectionId docs = on_disk.collection("docs");
  const std::vector<TextHash> texts = {hash_text("apple"), hash_text("pear")};
  const std::vector<std::vector<float>> vectors = {{1.0F, 0.0F}, {0.0F, 1.0F}};
  on_disk.store->cache_vectors("m", texts, vectors);
  const FileId gone = on_disk.file_with(docs, "a.txt", "apple\npear");
  on_disk.file_with(docs, "b.txt", "pear");
  const std::vector<FileId> files = {gone};
  on_disk.store->remove_files(files);
  on_disk.file(docs, "c.txt");  // may be about to need one of them
  while (on_disk.store->clean_up(10)) {
  }
  EXPECT_EQ(on_disk.store->cached_vectors("m", texts)[0].size(), 2u);
  on_disk.file_with(docs, "c.txt", "plum");
  while (on_disk.store->clean_up(10)) {
  }
  EXPECT_TRUE(on_disk.store->cached_vectors("m", texts)[0].empty());
  EXPECT_EQ(on_disk.store->cached_vectors("m", texts)[1], vectors[1]);
}

}  // namespace
}  // namespace parley::retrieval::index
