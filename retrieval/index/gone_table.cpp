#include "retrieval/index/gone_table.h"

namespace parley::retrieval::index {

GoneTable::GoneTable(Database& database)
    : add_(database,
           "INSERT INTO gone(collection, first_passage, last_passage, next_passage, text)"
           " VALUES (?1, ?2, ?3, ?2, ?4)"),
      after_(database,
             "SELECT id, collection, first_passage, last_passage, next_passage, text FROM gone WHERE id > ?1"
             " ORDER BY id LIMIT ?2"),
      set_next_(database, "UPDATE gone SET next_passage = ?2 WHERE id = ?1"),
      erase_(database, "DELETE FROM gone WHERE id = ?1") {}

void GoneTable::add(CollectionId collection, const Generation& generation) {
  if (generation.num_passages == 0 && !generation.text) return;
  Query(add_, collection, generation.first_passage, generation.first_passage + generation.num_passages - 1,
        generation.text)
      .run();
}

std::vector<GoneGeneration> GoneTable::after(std::int64_t id, int count) {
  std::vector<GoneGeneration> generations;
  Query row(after_, id, count);
  while (row.next()) {
    GoneGeneration gone;
    gone.id = row.integer(0);
    gone.collection = row.integer(1);
    gone.passages = {row.integer(2), row.integer(3)};
    gone.next_passage = row.integer(4);
    if (!row.is_null(5)) gone.text = row.integer(5);
    generations.push_back(gone);
  }
  return generations;
}

std::optional<GoneGeneration> GoneTable::first() {
  const std::vector<GoneGeneration> found = after(0, 1);
  if (found.empty()) return std::nullopt;
  return found.front();
}

void GoneTable::set_next(std::int64_t id, PassageId next_passage) {
  Query(set_next_, id, next_passage).run();
}

void GoneTable::erase(std::int64_t id) { Query(erase_, id).run(); }

}  // namespace parley::retrieval::index
