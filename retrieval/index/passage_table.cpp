#include "retrieval/index/passage_table.h"

#include <algorithm>
#include <string>
#include <string_view>

#include "retrieval/index/file_record.h"
#include "retrieval/index/string_list.h"
#include "retrieval/index/text_hash.h"
#include "retrieval/index/text_units.h"

namespace parley::retrieval::index {
namespace {

// A passage answers when its file's row says that it belongs to today's generation.
const std::string kAnswering =
    "FROM passages p JOIN files f ON f.id = p.file AND p.id >= f.first_passage"
    " AND p.id < f.first_passage + f.num_passages"
    " JOIN collections c ON c.id = f.collection AND c.removed = 0 ";

std::string joined(const std::vector<std::string>& headings) {
  std::string line;
  for (const std::string& heading : headings) line += heading + '\n';
  return line;
}

struct PassageWords {
  std::string headings, words, parts, forms, scope;
};

PassageWords words_of(const std::vector<std::string>& headings, std::string_view text,
                      CollectionId collection) {
  IndexedText in_headings = index_text(joined(headings));
  IndexedText in_text = index_text(text);
  if (!in_headings.parts.empty()) in_text.parts += ' ' + in_headings.parts;
  return {std::move(in_headings.words), std::move(in_text.words), std::move(in_text.parts),
          std::move(in_text.forms), "c" + std::to_string(collection)};
}

std::string_view text_in(const documents::Document& document, const documents::ByteRange& range) {
  const std::size_t begin = std::min(range.begin, document.text.size());
  return std::string_view(document.text).substr(begin, std::max(range.end, begin) - begin);
}

std::string page_name(const documents::Document& document, int page) {
  const auto index = static_cast<std::size_t>(page) - 1;
  return page > 0 && index < document.page_names.size() ? document.page_names[index] : std::string();
}

// Lines of a text for ascending places.
class LineCounter {
 public:
  explicit LineCounter(std::string_view text) : text_(text) {}
  int line_at(std::size_t place) {
    if (place < place_) {
      place_ = 0;
      line_ = 1;
    }
    place = std::min(place, text_.size());
    line_ += static_cast<int>(std::count(text_.begin() + static_cast<std::ptrdiff_t>(place_),
                                         text_.begin() + static_cast<std::ptrdiff_t>(place), '\n'));
    place_ = place;
    return line_;
  }

 private:
  std::string_view text_;
  std::size_t place_ = 0;
  int line_ = 1;
};

}  // namespace

PassageTable::PassageTable(Database& database, TextTable& texts)
    : texts_(texts),
      insert_(database,
              "INSERT INTO passages(file, text_hash, first_byte, end_byte, line, page, page_name, box_left,"
              " box_top, box_right, box_bottom, tokens, headings, text)"
              " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14) RETURNING id"),
      insert_words_(database,
                    "INSERT INTO passage_terms(rowid, headings, words, parts, forms, scope)"
                    " VALUES (?1, ?2, ?3, ?4, ?5, ?6)"),
      find_(database,
            "SELECT p.file, f.collection, c.name, f.path, f.title, p.headings, p.text, p.first_byte, "
            "p.end_byte,"
            " p.line, p.page, p.page_name, p.box_left, p.box_top, p.box_right, p.box_bottom, p.tokens,"
            " p.id - f.first_passage, p.text_hash, f.text " +
                kAnswering + "WHERE p.id = ?1"),
      answers_(database, "SELECT f.collection " + kAnswering + "WHERE p.id = ?1"),
      text_of_(database,
               "SELECT text, media_type, title, path FROM files WHERE id = ?1 AND text IS NOT NULL"
               " AND collection IN (SELECT id FROM collections WHERE removed = 0)"),
      keys_(database, "SELECT p.id, f.collection, p.text_hash " + kAnswering +
                          "WHERE p.id > ?1 ORDER BY p.id LIMIT ?2"),
      row_(database, "SELECT text_hash, first_byte, end_byte, headings, text FROM passages WHERE id = ?1"),
      erase_words_(database,
                   "INSERT INTO passage_terms(passage_terms, rowid, headings, words, parts, forms, scope)"
                   " VALUES ('delete', ?1, ?2, ?3, ?4, ?5, ?6)"),
      erase_(database, "DELETE FROM passages WHERE id = ?1"),
      uses_text_(database, "SELECT 1 FROM passages WHERE text_hash = ?1 LIMIT 1") {}

PassageId PassageTable::insert_passage(const FileCommit& commit, const chunking::Chunk& chunk, int line) {
  const bool is_range = chunk.text == text_in(commit.document, chunk.range);
  std::optional<std::string> own_text;
  if (!is_range) own_text = chunk.text;
  Query row(insert_, commit.file, blob_of(hash_text(chunk.text)),
            static_cast<std::int64_t>(chunk.range.begin), static_cast<std::int64_t>(chunk.range.end), line,
            chunk.page, page_name(commit.document, chunk.page), double{chunk.box.left}, double{chunk.box.top},
            double{chunk.box.right}, double{chunk.box.bottom}, chunk.num_tokens,
            Blob{encode_list(chunk.heading_path)}, own_text);
  row.next();
  return row.integer(0);
}

Generation PassageTable::add(const FileCommit& commit, CollectionId collection) {
  Generation generation;
  generation.text = texts_.add(commit.document.text);
  LineCounter lines(commit.document.text);
  for (const chunking::Chunk& chunk : commit.chunks) {
    const PassageId id = insert_passage(commit, chunk, lines.line_at(chunk.range.begin));
    if (generation.num_passages++ == 0) generation.first_passage = id;
    const PassageWords words = words_of(chunk.heading_path, chunk.text, collection);
    Query(insert_words_, id, words.headings, words.words, words.parts, words.forms, words.scope).run();
  }
  return generation;
}

std::optional<StoredPassage> PassageTable::find(PassageId passage) {
  Query row(find_, passage);
  if (!row.next()) return std::nullopt;
  StoredPassage found;
  found.id = passage;
  found.file = row.integer(0);
  found.collection = row.integer(1);
  found.collection_name = row.text(2);
  found.path = std::string(row.blob(3));
  found.title = row.text(4);
  found.heading_path = decode_list(row.blob(5));
  found.range = {static_cast<std::size_t>(row.integer(7)), static_cast<std::size_t>(row.integer(8))};
  found.text = row.is_null(6) ? texts_.read(row.integer(19), found.range) : row.text(6);
  found.line = static_cast<int>(row.integer(9));
  found.page = static_cast<int>(row.integer(10));
  found.page_name = row.text(11);
  found.box = {static_cast<float>(row.real(12)), static_cast<float>(row.real(13)),
               static_cast<float>(row.real(14)), static_cast<float>(row.real(15))};
  found.num_tokens = static_cast<int>(row.integer(16));
  found.ordinal = static_cast<int>(row.integer(17));
  found.text_hash = hash_of_blob(row.blob(18));
  return found;
}

bool PassageTable::answers(PassageId passage, std::span<const CollectionId> collections) {
  Query row(answers_, passage);
  if (!row.next()) return false;
  return collections.empty() ||
         std::find(collections.begin(), collections.end(), row.integer(0)) != collections.end();
}

std::optional<StoredText> PassageTable::text_of(FileId file) {
  Query row(text_of_, file);
  if (!row.next()) return std::nullopt;
  StoredText found;
  found.text = texts_.read(row.integer(0));
  found.media_type = row.text(1);
  found.title = row.text(2);
  found.path = std::string(row.blob(3));
  return found;
}

std::vector<PassageKey> PassageTable::keys_after(PassageId after, int count) {
  std::vector<PassageKey> keys;
  Query row(keys_, after, count);
  while (row.next()) keys.push_back({row.integer(0), row.integer(1), hash_of_blob(row.blob(2))});
  return keys;
}

std::optional<TextHash> PassageTable::erase(PassageId passage, CollectionId collection,
                                            std::optional<std::int64_t> text) {
  TextHash hash{};
  PassageWords words;
  {
    Query row(row_, passage);
    if (!row.next()) return std::nullopt;
    hash = hash_of_blob(row.blob(0));
    const documents::ByteRange range{static_cast<std::size_t>(row.integer(1)),
                                     static_cast<std::size_t>(row.integer(2))};
    const std::string own = row.is_null(4) ? texts_.read(text.value_or(0), range) : row.text(4);
    words = words_of(decode_list(row.blob(3)), own, collection);
  }
  Query(erase_words_, passage, words.headings, words.words, words.parts, words.forms, words.scope).run();
  Query(erase_, passage).run();
  return hash;
}

bool PassageTable::uses_text(const TextHash& text) { return Query(uses_text_, blob_of(text)).next(); }

}  // namespace parley::retrieval::index
