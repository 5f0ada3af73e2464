#include "retrieval/index/text_table.h"

#include <gtest/gtest.h>

#include "retrieval/index/index_schema.h"
#include "storage/sqlite/schema.h"

namespace parley::retrieval::index {
namespace {

class TextTableTest : public ::testing::Test {
 protected:
  static Database opened() {
    Database database{std::filesystem::path()};
    storage::sqlite::migrate(database, index_schema());
    return database;
  }
  Database database = opened();
  TextTable texts{database};
};

std::string numbered(std::size_t bytes) {
  std::string text;
  for (int i = 0; text.size() < bytes; ++i) text += std::to_string(i) + ' ';
  text.resize(bytes);
  return text;
}

TEST_F(TextTableTest, GivesBackWholeTextsOfAnySize) {
  for (const std::size_t bytes : {0u, 1u, 32'767u, 32'768u, 32'769u, 200'000u}) {
    const std::string text = numbered(bytes);
    EXPECT_EQ(texts.read(texts.add(text)), text) << bytes;
  }
}

TEST_F(TextTableTest, GivesRangesOverBlockBorders) {
  const std::string text = numbered(100'000);
  const std::int64_t id = texts.add(text);
  for (const auto& [begin, end] : {std::pair<std::size_t, std::size_t>{0, 10},
                                   {32'760, 32'780},
                                   {32'768, 65'536},
                                   {10, 99'999},
                                   {99'990, 200'000},
                                   {500, 500}})
    EXPECT_EQ(texts.read(id, {begin, end}), text.substr(begin, end - begin)) << begin;
  EXPECT_EQ(texts.read(id, {100'000, 100'010}), "");
}

TEST_F(TextTableTest, StoresThemCompressed) {
  texts.add(std::string(1'000'000, 'a'));
  EXPECT_LT(database.integer("SELECT sum(length(bytes)) FROM text_blocks"), 10'000);
}

TEST_F(TextTableTest, ErasesAllOfAText) {
  const std::int64_t id = texts.add(numbered(100'000));
  const std::int64_t other = texts.add("other");
  EXPECT_EQ(texts.read(id, {0, 1}), "0");
  texts.erase(id);
  EXPECT_EQ(texts.read(id), "");
  EXPECT_EQ(texts.read(id, {0, 1}), "");
  EXPECT_EQ(texts.read(other), "other");
  EXPECT_EQ(database.integer("SELECT count(*) FROM text_blocks"), 1);
}

TEST_F(TextTableTest, SaysWhenAStoredTextIsDamaged) {
  const std::int64_t id = texts.add("some text");
  database.execute("UPDATE text_blocks SET bytes = x'0102030405'");
  EXPECT_THROW(texts.read(id), StoreError);
}

}  // namespace
}  // namespace parley::retrieval::index
