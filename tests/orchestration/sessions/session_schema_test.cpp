#include "orchestration/sessions/session_schema.h"

#include <gtest/gtest.h>

#include <string>

#include "orchestration/sessions/session_store.h"
#include "orchestration/sessions/sqlite.h"

namespace parley::orchestration::sessions {
namespace {

std::string migration_refusal(Database& database) {
  try {
    storage::sqlite::migrate(database, session_schema());
  } catch (const StoreError& error) {
    return error.what();
  }
  return "";
}

TEST(SessionSchema, ANewDatabaseGetsTodaysTablesOnce) {
  Database database{std::filesystem::path()};
  EXPECT_TRUE(storage::sqlite::find_missing_tables(database, session_schema()));
  storage::sqlite::migrate(database, session_schema());
  EXPECT_EQ(storage::sqlite::find_missing_tables(database, session_schema()), std::nullopt);
  const auto version = database.integer("PRAGMA user_version");
  EXPECT_GE(version, 1);
  storage::sqlite::migrate(database, session_schema());
  EXPECT_EQ(database.integer("PRAGMA user_version"), version);
}

TEST(SessionSchema, AnOlderOneBecomesTodaysAndKeepsWhatItHas) {
  Database database{std::filesystem::path()};
  storage::sqlite::migrate(database, session_schema());
  database.execute(
      "DROP TABLE call_outputs; DROP TABLE call_images; DROP TABLE calls;"
      "ALTER TABLE conversations DROP COLUMN tools; ALTER TABLE messages DROP COLUMN reasoning_ms;"
      "DROP TABLE commands; PRAGMA user_version = 1;"  // as of version 1
      "INSERT INTO conversations VALUES ('c', 'kept', '', NULL, NULL, '', 1, 1, 0)");
  EXPECT_TRUE(storage::sqlite::find_missing_tables(database, session_schema()));
  storage::sqlite::migrate(database, session_schema());
  EXPECT_EQ(storage::sqlite::find_missing_tables(database, session_schema()), std::nullopt);
  EXPECT_EQ(database.text("SELECT title FROM conversations"), "kept");
  EXPECT_EQ(database.integer("SELECT tools IS NULL FROM conversations"), 1);
}

TEST(SessionSchema, ANewerOneIsRefused) {
  Database database{std::filesystem::path()};
  storage::sqlite::migrate(database, session_schema());
  database.execute("PRAGMA user_version = 999");
  const std::string text = migration_refusal(database);
  EXPECT_NE(text.find("newer Parley (schema 999"), std::string::npos) << text;
  EXPECT_NE(text.find("Update Parley"), std::string::npos) << text;
}

TEST(SessionSchema, AnotherProgramsDatabaseIsRefusedAndLeftAlone) {
  Database database{std::filesystem::path()};
  database.execute("CREATE TABLE conversations(id)");
  EXPECT_NE(migration_refusal(database).find("not a Parley database"), std::string::npos);
  EXPECT_EQ(database.integer("SELECT count(*) FROM sqlite_schema"), 1);
}

TEST(SessionSchema, AChangedTableIsNoticed) {
  Database database{std::filesystem::path()};
  storage::sqlite::migrate(database, session_schema());
  database.execute("DROP INDEX messages_by_parent");
  EXPECT_EQ(storage::sqlite::find_missing_tables(database, session_schema()),
            "table or index messages_by_parent is missing or changed");
  database.execute("CREATE INDEX own ON messages(role)");
  database.execute("CREATE INDEX messages_by_parent ON messages(conversation, parent)");
  EXPECT_EQ(storage::sqlite::find_missing_tables(database, session_schema()),
            std::nullopt);  // an index more does no harm
}

}  // namespace
}  // namespace parley::orchestration::sessions
