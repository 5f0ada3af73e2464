#include "retrieval/index/collection_table.h"

#include "retrieval/index/file_record.h"
#include "retrieval/index/string_list.h"

namespace parley::retrieval::index {

CollectionTable::CollectionTable(Database& database)
    : add_(database,
           "INSERT INTO collections(name, root, include, exclude, state, reason, created_at, removed) "
           "VALUES (?1, ?2, ?3, ?4, ?5, '', ?6, 0) RETURNING id"),
      taken_(database, "SELECT 1 FROM collections WHERE name = ?1 AND removed = 0"),
      all_(database,
           "SELECT " + std::string(kCollectionColumns) + " FROM collections WHERE removed = 0 ORDER BY id"),
      set_state_(database, "UPDATE collections SET state = ?2, reason = ?3 WHERE id = ?1 AND removed = 0"),
      mark_removed_(database, "UPDATE collections SET removed = 1 WHERE id = ?1"),
      any_removed_(database, "SELECT id FROM collections WHERE removed = 1 LIMIT 1"),
      erase_(database, "DELETE FROM collections WHERE id = ?1") {}

Collection CollectionTable::add(const CollectionSettings& settings, std::int64_t now_ms) {
  if (Query(taken_, settings.name).next()) {
    throw StoreError("There is a collection named " + settings.name +
                     " already. Choose another name, or remove that one first.");
  }
  Collection collection;
  collection.settings = settings;
  collection.created_ms = now_ms;
  Query row(add_, settings.name, Blob{settings.root}, Blob{encode_list(settings.include)},
            Blob{encode_list(settings.exclude)}, word_of(collection.state), now_ms);
  row.next();
  collection.id = row.integer(0);
  return collection;
}

std::vector<Collection> CollectionTable::all() {
  std::vector<Collection> collections;
  Query row(all_);
  while (row.next()) collections.push_back(read_collection(row));
  return collections;
}

void CollectionTable::set_state(CollectionId collection, CollectionState state, const std::string& reason) {
  Query(set_state_, collection, word_of(state), reason).run();
}

void CollectionTable::mark_removed(CollectionId collection) { Query(mark_removed_, collection).run(); }

std::optional<CollectionId> CollectionTable::any_removed() {
  Query row(any_removed_);
  if (!row.next()) return std::nullopt;
  return row.integer(0);
}

void CollectionTable::erase(CollectionId collection) { Query(erase_, collection).run(); }

}  // namespace parley::retrieval::index
