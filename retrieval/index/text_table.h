#pragma once
// The texts of documents, compressed in blocks so that a passage costs a block or two, not the document.
// Without transactions of its own. The connection's thread. Throws StoreError.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "retrieval/index/sqlite.h"
#include "retrieval/index/stored_document.h"

namespace parley::retrieval::index {

class TextTable {
 public:
  explicit TextTable(Database& database);

  std::int64_t add(std::string_view text);
  std::string read(std::int64_t text);
  // Bytes of the text; what lies behind its end is left out. Not cut to whole characters.
  std::string read(std::int64_t text, const documents::ByteRange& range);
  void erase(std::int64_t text);

 private:
  const std::string& block_of(std::int64_t text, std::size_t block);

  Statement add_;
  Statement add_block_;
  Statement size_;
  Statement block_;
  Statement erase_;
  Statement erase_blocks_;
  // The block that was read last: passages are mostly read in order.
  std::int64_t last_text_ = 0;
  std::size_t last_block_ = 0;
  std::string last_bytes_;
};

}  // namespace parley::retrieval::index
