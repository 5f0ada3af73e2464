#pragma once
// Rows of `passages` and their words in `passage_terms`, without transactions of its own. The connection's
// thread. Throws StoreError.

#include <optional>
#include <span>
#include <vector>

#include "retrieval/index/file_table.h"
#include "retrieval/index/passage_feed.h"
#include "retrieval/index/sqlite.h"
#include "retrieval/index/stored_document.h"
#include "retrieval/index/text_table.h"

namespace parley::retrieval::index {

class PassageTable {
 public:
  PassageTable(Database& database, TextTable& texts);

  // The commit's text and passages; nothing answers with them before the file's row says so.
  Generation add(const FileCommit& commit, CollectionId collection);
  // One that answers; else none.
  std::optional<StoredPassage> find(PassageId passage);
  bool answers(PassageId passage, std::span<const CollectionId> collections);
  std::optional<StoredText> text_of(FileId file);
  std::vector<PassageKey> keys_after(PassageId after, int count);

  // A passage of a generation that is gone, with its words. Its text's hash; none: there is no such row.
  std::optional<TextHash> erase(PassageId passage, CollectionId collection, std::optional<std::int64_t> text);
  bool uses_text(const TextHash& text);

 private:
  PassageId insert_passage(const FileCommit& commit, const chunking::Chunk& chunk, int line);

  TextTable& texts_;
  Statement insert_;
  Statement insert_words_;
  Statement find_;
  Statement answers_;
  Statement text_of_;
  Statement keys_;
  Statement row_;
  Statement erase_words_;
  Statement erase_;
  Statement uses_text_;
};

}  // namespace parley::retrieval::index
