#pragma once
// What a reader makes of a file: its text, and what each stretch of that text is. Values, any thread.
//
// `text` is what passages are cut from, what a model is shown and what a person sees when a citation is
// opened: valid UTF-8 without NUL, lines end with '\n'. Blocks say what it is made of; they ascend and do not
// overlap, and between them lies white space only.

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace parley::retrieval::documents {

enum class BlockKind : std::uint8_t {
  heading,
  paragraph,
  list_item,
  code,          // a fenced or indented block, a whole source file's stretch between blank lines
  table_header,  // the row that names the columns of the rows behind it
  table_row,
  quote,
};

// Half-open, in bytes.
struct ByteRange {
  std::size_t begin = 0;
  std::size_t end = 0;
};

// On a page, in points from its upper left corner; all zero: not known.
struct Box {
  float left = 0, top = 0, right = 0, bottom = 0;
};

struct Block {
  BlockKind kind = BlockKind::paragraph;
  int level = 0;       // of a heading: 1 is the highest; of a list item: how deep, from 1
  ByteRange range;     // in Document::text
  ByteRange original;  // in the file's decoded text; equal to `range` where the text is the file's own;
                       // empty: not known
  ByteRange words;     // of a heading: its words without marks around them ("## ", an underline), within
                       // `range`; empty: the whole range
  int page = 0;        // from 1: page, slide or sheet; 0: the format has none
  Box box;
};

// Pages, slides or sheets that gave no text worth indexing, and why ("page 3 is a picture: it needs OCR").
struct PageNote {
  int page = 0;
  std::string reason;
};

struct Document {
  std::string text;
  std::vector<Block> blocks;
  std::string title;                    // as the file names itself; empty: it does not
  std::string media_type;               // what it was read as: "text/markdown", "application/pdf"
  std::string encoding;                 // of text files: "UTF-8", "windows-1252"; empty: the format fixes it
  int num_pages = 0;                    // 0: the format has none
  std::vector<std::string> page_names;  // sheets and chapters by name, one each page; empty: they have none
  std::vector<PageNote> notes;
};

}  // namespace parley::retrieval::documents
