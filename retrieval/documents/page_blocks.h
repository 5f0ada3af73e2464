#pragma once
// From lines in reading order to paragraphs, list items, code, table rows and headings. Pure functions, any
// thread.

#include <string>
#include <vector>

#include "retrieval/documents/document.h"
#include "retrieval/documents/hyphenation.h"
#include "retrieval/documents/page_furniture.h"
#include "retrieval/documents/page_layout.h"

namespace parley::retrieval::documents {

// What is usual in the document.
struct PrintMeasures {
  float body_size = 10;  // of the font of most letters
  bool has_bold_body = false;
  float line_pitch = 1.2F;           // from line to line of a paragraph, in font sizes
  std::vector<float> heading_sizes;  // descending
};

PrintMeasures measure_print(const std::vector<LaidOutPage>& pages);

struct PageBlock {
  BlockKind kind = BlockKind::paragraph;
  int level = 0;                   // of a heading
  std::string text;                // of all but rows
  std::vector<std::string> cells;  // of rows
  Box box;
  float size = 0;
  bool is_bold = false;
};

// From 1, by the size of its print, or for being short and bold; 0: a block of these looks is no heading.
int heading_level(const PrintMeasures& measures, const PageBlock& block);

// In reading order. A paragraph that goes on in the next column is one block, with the box of its beginning.
std::vector<PageBlock> make_page_blocks(const LaidOutPage& page, const PrintMeasures& measures,
                                        const Hyphenation& hyphenation);

}  // namespace parley::retrieval::documents
