#include "storage/sqlite/schema.h"

#include <cstdint>

#include "storage/sqlite/store_error.h"

namespace parley::storage::sqlite {
namespace {

void refuse_foreign(Database& database, const Schema& schema, std::int64_t version) {
  const auto newest = static_cast<std::int64_t>(schema.steps.size());
  const std::string file = database.text("SELECT file FROM pragma_database_list WHERE name = 'main'");
  const bool empty = database.integer("SELECT count(*) FROM sqlite_schema") == 0;
  const bool ours = database.integer("PRAGMA application_id") == schema.application_id;
  if (!ours && !(empty && version == 0)) {
    throw StoreError(file + " is not a Parley database. Move it away, or choose another --data folder.");
  }
  if (version > newest) {
    throw StoreError(file + " was written by a newer Parley (schema " + std::to_string(version) +
                     ", this one knows " + std::to_string(newest) +
                     "). Update Parley, or choose another --data folder.");
  }
}

void apply_step(Database& database, const Schema& schema, std::int64_t version) {
  Transaction transaction(database);
  database.execute(schema.steps[static_cast<std::size_t>(version)]);
  const std::string mark = "PRAGMA application_id = " + std::to_string(schema.application_id) +
                           "; PRAGMA user_version = " + std::to_string(version + 1);
  database.execute(mark.c_str());
  transaction.commit();
}

}  // namespace

void migrate(Database& database, const Schema& schema) {
  std::int64_t version = database.integer("PRAGMA user_version");
  refuse_foreign(database, schema, version);
  for (; version < static_cast<std::int64_t>(schema.steps.size()); ++version)
    apply_step(database, schema, version);
}

std::optional<std::string> find_missing_tables(Database& database, const Schema& schema) {
  Database model{std::filesystem::path()};
  migrate(model, schema);
  Statement wanted(model, "SELECT name, sql FROM sqlite_schema WHERE sql IS NOT NULL");
  Statement present(database, "SELECT 1 FROM sqlite_schema WHERE name = ?1 AND sql = ?2");
  Query want(wanted);
  while (want.next()) {
    const std::string name = want.text(0);
    Query found(present, name, want.text(1));
    if (!found.next()) return "table or index " + name + " is missing or changed";
  }
  return std::nullopt;
}

}  // namespace parley::storage::sqlite
