#pragma once
// From the words of a page to lines in reading order. Pages say where each word stands and nothing else, so
// columns are found by the white space between them (recursive XY-cut: Nagy & Seth 1984). Pure functions, any
// thread; coordinates in points from the page's upper left corner.

#include <string>
#include <vector>

#include "retrieval/documents/document.h"

namespace parley::retrieval::documents {

struct PageWord {
  std::string text;  // UTF-8
  Box box;
  float size = 0;  // of its font
  bool is_bold = false;
  bool is_monospaced = false;
  bool has_space_after = false;
};

// Words with no wide gap between them.
struct LineSegment {
  std::string text;
  float left = 0, right = 0;
};

struct PageLine {
  std::vector<LineSegment> segments;  // never empty; from left to right
  Box box;
  float size = 0;  // of most of its letters
  bool is_bold = false;
  bool is_monospaced = false;

  std::string text() const;  // of all segments
};

// Lines that are read one after the other: a column, or what runs over the whole width. Never empty.
struct PageRegion {
  Box box;
  std::vector<PageLine> lines;
};

std::vector<PageRegion> lay_out_page(const std::vector<PageWord>& words);

// The smallest box around both; `around` may be all zero.
void extend_box(Box& around, const Box& box);

}  // namespace parley::retrieval::documents
