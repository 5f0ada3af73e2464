#pragma once
// Running headers, footers and page numbers: lines at the edge of the page that come again on the pages
// around, numbers apart. Pure functions, any thread.

#include <string>
#include <string_view>
#include <vector>

#include "retrieval/documents/page_layout.h"

namespace parley::retrieval::documents {

struct LaidOutPage {
  float height = 0;
  std::vector<PageRegion> regions;
};

// Lines in print larger than `body_size` stay: they are headings that begin pages.
void drop_page_furniture(std::vector<LaidOutPage>& pages, float body_size);

}  // namespace parley::retrieval::documents
