#include "storage/sqlite/schema.h"

#include <gtest/gtest.h>

#include <array>
#include <string>

#include "storage/sqlite/store_error.h"

namespace parley::storage::sqlite {
namespace {

constexpr std::array<const char*, 2> kSteps = {
    "CREATE TABLE birds(name TEXT) STRICT", "ALTER TABLE birds ADD COLUMN wings INTEGER NOT NULL DEFAULT 2"};
constexpr Schema kFirst{7, std::span(kSteps).first(1)};
constexpr Schema kToday{7, kSteps};

std::string refusal(Database& database, const Schema& schema) {
  try {
    migrate(database, schema);
  } catch (const StoreError& error) {
    return error.what();
  }
  return "";
}

TEST(Schema, StepsThatAreMissingAreMade) {
  Database database{std::filesystem::path()};
  migrate(database, kFirst);
  EXPECT_EQ(database.integer("PRAGMA user_version"), 1);
  database.execute("INSERT INTO birds VALUES ('wren')");
  EXPECT_TRUE(find_missing_tables(database, kToday));
  migrate(database, kToday);
  EXPECT_EQ(database.integer("PRAGMA user_version"), 2);
  EXPECT_EQ(database.integer("PRAGMA application_id"), 7);
  EXPECT_EQ(database.integer("SELECT wings FROM birds WHERE name = 'wren'"), 2);
  EXPECT_EQ(find_missing_tables(database, kToday), std::nullopt);
}

TEST(Schema, ANewersFileIsRefused) {
  Database database{std::filesystem::path()};
  migrate(database, kToday);
  EXPECT_NE(refusal(database, kFirst).find("newer Parley (schema 2, this one knows 1)"), std::string::npos);
}

TEST(Schema, AFileOfAnotherKindIsRefused) {
  Database database{std::filesystem::path()};
  migrate(database, kToday);
  EXPECT_NE(refusal(database, Schema{8, kSteps}).find("not a Parley database"), std::string::npos);
}

}  // namespace
}  // namespace parley::storage::sqlite
