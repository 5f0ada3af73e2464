#include "retrieval/index/clean_up.h"

#include <algorithm>

namespace parley::retrieval::index {
namespace {

// Files of a removed collection become generations that are gone; then the collection's own row goes.
// Rows that were looked at; 0: no collection is to be removed.
int dissolve_collections(StoreConnection& writer, int rows) {
  const std::optional<CollectionId> collection = writer.collections.any_removed();
  if (!collection) return 0;
  const std::vector<FilePlace> places = writer.files.first_files(*collection, rows);
  for (const FilePlace& place : places) {
    writer.gone.add(place.collection, place.generation);
    writer.files.erase(place.file);
  }
  if (places.empty()) writer.collections.erase(*collection);
  return std::max(1, static_cast<int>(places.size()));
}

int delete_generation(StoreConnection& writer, const GoneGeneration& gone, int rows) {
  PassageId passage = gone.next_passage;
  int deleted = 0;
  for (; passage <= gone.passages.last && deleted < rows; ++passage, ++deleted) {
    const auto hash = writer.passages.erase(passage, gone.collection, gone.text);
    if (hash) writer.vectors.mark_loose(*hash);
  }
  if (passage <= gone.passages.last) {
    writer.gone.set_next(gone.id, passage);
    return deleted;
  }
  if (gone.text) writer.texts.erase(*gone.text);
  writer.gone.erase(gone.id);
  return deleted + 1;
}

// Vectors of texts that no passage has. While files wait to be read, a new passage may be about to need one
// that was found in the cache already.
int delete_loose_vectors(StoreConnection& writer, int rows) {
  if (writer.files.has_queued()) return 0;
  const std::vector<TextHash> texts = writer.vectors.loose(rows);
  for (const TextHash& text : texts) {
    if (!writer.passages.uses_text(text)) writer.vectors.erase(text);
    writer.vectors.forget_loose(text);
  }
  return static_cast<int>(texts.size());
}

}  // namespace

bool clean_up_rows(StoreConnection& writer, int rows) {
  rows = std::max(1, rows);
  int done = 0;
  while (done < rows) {
    const int before = done;
    done += dissolve_collections(writer, rows - done);
    if (done >= rows) return true;
    if (const auto gone = writer.gone.first()) done += delete_generation(writer, *gone, rows - done);
    if (done == before) done += delete_loose_vectors(writer, rows - done);
    if (done == before) return false;
  }
  return true;
}

}  // namespace parley::retrieval::index
