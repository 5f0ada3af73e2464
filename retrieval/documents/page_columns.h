#pragma once
// The first half of lay_out_page: which words stand in which column. Pure functions, any thread.

#include <vector>

#include "retrieval/documents/page_layout.h"

namespace parley::retrieval::documents {

using WordGroup = std::vector<const PageWord*>;

// The words in groups, in reading order; each group is a column or goes over the whole width. Borrows
// `words`.
std::vector<WordGroup> cut_into_columns(const std::vector<PageWord>& words);

}  // namespace parley::retrieval::documents
