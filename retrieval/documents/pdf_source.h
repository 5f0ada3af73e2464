#pragma once
// A PDF as Poppler sees it: the words of its pages and where they stand. One thread. Throws FormatError
// (damaged, encrypted); what a hostile file does to Poppler itself is the worker program's matter.

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "retrieval/documents/page_layout.h"

namespace parley::retrieval::documents {

// The words of a page that run in one direction, turned upright.
struct PdfText {
  int rotation = 0;  // quarter turns clockwise that were undone
  std::vector<PageWord> words;
};

struct PdfPage {
  float width = 0, height = 0;  // in points
  std::vector<PdfText> texts;   // the one with most words first
  bool is_garbled = false;      // its fonts do not say which letters they show

  // Of a box in an upright text, where it is on the page.
  Box on_page(const Box& box, int rotation) const;
};

class PdfSource {
 public:
  explicit PdfSource(std::string_view bytes);  // borrowed
  ~PdfSource();
  PdfSource(const PdfSource&) = delete;
  PdfSource& operator=(const PdfSource&) = delete;

  int num_pages() const;
  std::string title() const;
  PdfPage read_page(int index) const;  // from 0; what cannot be read has no words
  // Whether anything is printed on the page, seen from afar.
  bool has_ink(int index) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace parley::retrieval::documents
