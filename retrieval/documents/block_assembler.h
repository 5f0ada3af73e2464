#pragma once
// Puts a Document together block by block and keeps its invariants (document.h): valid UTF-8, blocks in
// order, white space between them. One thread. Throws FormatError (over_limit) before a limit would be
// passed.

#include <string>
#include <string_view>
#include <vector>

#include "retrieval/documents/document.h"
#include "retrieval/documents/document_reader.h"

namespace parley::retrieval::documents {

class BlockAssembler {
 public:
  // `limits` must outlive the assembler.
  BlockAssembler(const ReadLimits& limits, std::string media_type);

  // Begins the next page, slide or sheet; blocks lie on it from now on. `name`: empty where the format has
  // none.
  void begin_page(std::string_view name);
  void add_note(std::string reason);  // on this page

  // Cleans `text` (unicode_text.h) and appends it; without visible text nothing is added.
  void add(BlockKind kind, std::string_view text, int level = 0, const Box& box = {});
  // A row as one line, cells apart by " | ". `kind`: table_row or table_header.
  void add_row(BlockKind kind, const std::vector<std::string>& cells, const Box& box = {});

  void set_title(std::string_view title);  // the first one that is not empty stays
  bool has_title() const { return !document_.title.empty(); }
  bool has_text() const { return !document_.blocks.empty(); }
  bool has_notes() const { return !document_.notes.empty(); }
  std::size_t max_text_bytes() const { return limits_.max_text_bytes; }
  int page() const { return document_.num_pages; }
  std::size_t num_blocks() const { return document_.blocks.size(); }

  // Throws FormatError (empty) when there is no text. Ends the assembler.
  Document take();

 private:
  void append(BlockKind kind, const std::string& text, int level, const Box& box);

  const ReadLimits& limits_;
  Document document_;
};

}  // namespace parley::retrieval::documents
