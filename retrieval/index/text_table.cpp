#include "retrieval/index/text_table.h"

#include <zlib.h>

#include <algorithm>

namespace parley::retrieval::index {
namespace {

// A passage is about 1 KB; 32 KB is zlib's window, so larger blocks would compress no better.
constexpr std::size_t kBlockBytes = std::size_t{32} << 10;

std::string deflate_block(std::string_view bytes) {
  uLongf size = compressBound(bytes.size());
  std::string compressed(size, '\0');
  const int code = compress2(reinterpret_cast<Bytef*>(compressed.data()), &size,
                             reinterpret_cast<const Bytef*>(bytes.data()), bytes.size(), 6);
  if (code != Z_OK) throw StoreError("A text cannot be compressed: there is not enough memory.");
  compressed.resize(size);
  return compressed;
}

std::string inflate_block(std::string_view compressed) {
  std::string bytes(kBlockBytes, '\0');
  uLongf size = bytes.size();
  const int code = uncompress(reinterpret_cast<Bytef*>(bytes.data()), &size,
                              reinterpret_cast<const Bytef*>(compressed.data()), compressed.size());
  if (code != Z_OK) {
    throw StoreError(
        "The stored text of a document is damaged. Move documents.db away and let Parley index the folders "
        "again.");
  }
  bytes.resize(size);
  return bytes;
}

}  // namespace

TextTable::TextTable(Database& database)
    : add_(database, "INSERT INTO texts(bytes) VALUES (?1) RETURNING id"),
      add_block_(database, "INSERT INTO text_blocks(text, block, bytes) VALUES (?1, ?2, ?3)"),
      size_(database, "SELECT bytes FROM texts WHERE id = ?1"),
      block_(database, "SELECT bytes FROM text_blocks WHERE text = ?1 AND block = ?2"),
      erase_(database, "DELETE FROM texts WHERE id = ?1"),
      erase_blocks_(database, "DELETE FROM text_blocks WHERE text = ?1") {}

std::int64_t TextTable::add(std::string_view text) {
  std::int64_t id = 0;
  {
    Query row(add_, static_cast<std::int64_t>(text.size()));
    row.next();
    id = row.integer(0);
  }
  for (std::size_t begin = 0; begin < text.size(); begin += kBlockBytes) {
    Query(add_block_, id, static_cast<std::int64_t>(begin / kBlockBytes),
          Blob{deflate_block(text.substr(begin, kBlockBytes))})
        .run();
  }
  return id;
}

const std::string& TextTable::block_of(std::int64_t text, std::size_t block) {
  if (text == last_text_ && block == last_block_) return last_bytes_;
  Query row(block_, text, static_cast<std::int64_t>(block));
  last_bytes_ = row.next() ? inflate_block(row.blob(0)) : std::string();
  last_text_ = text;
  last_block_ = block;
  return last_bytes_;
}

std::string TextTable::read(std::int64_t text, const documents::ByteRange& range) {
  std::string bytes;
  for (std::size_t at = range.begin; at < range.end;) {
    const std::string& block = block_of(text, at / kBlockBytes);
    const std::size_t offset = at % kBlockBytes;
    if (offset >= block.size()) break;
    const std::size_t count = std::min(block.size() - offset, range.end - at);
    bytes.append(block, offset, count);
    at += count;
  }
  return bytes;
}

std::string TextTable::read(std::int64_t text) {
  Query row(size_, text);
  if (!row.next()) return {};
  return read(text, {0, static_cast<std::size_t>(row.integer(0))});
}

void TextTable::erase(std::int64_t text) {
  Query(erase_blocks_, text).run();
  Query(erase_, text).run();
  last_text_ = 0;
}

}  // namespace parley::retrieval::index
