#pragma once
// What of a parsed HTML element matters for its text. Pure functions over gumbo's tags, any thread.
// Included by the HTML reader's sources only, since it brings gumbo along.

#include <gumbo.h>

#include <string>
#include <string_view>

namespace parley::retrieval::documents {

bool is_skipped_element(const GumboNode& node);  // scripts, styles, navigation, forms' controls
bool is_block_element(GumboTag tag);
int html_heading_level(GumboTag tag);  // 0: none
std::string_view html_attribute(const GumboNode& node, const char* name);
bool is_layout_table(const GumboNode& table);  // holds headings, lists or tables: no table of data
// White space runs become one space, as a browser shows them.
void append_collapsed(std::string& text, std::string_view added);

// Why a text would cost gumbo more than it is worth, a sentence; empty: it would not. Gumbo's time and memory
// grow with the number of open formatting elements at each block, its stack with the depth of the tree.
std::string html_excess(std::string_view html, int max_depth);

}  // namespace parley::retrieval::documents
