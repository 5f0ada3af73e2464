#pragma once
// Lists of strings without NUL (globs, headings) as bytes of one column, each ended by NUL. Pure, any thread.

#include <string>
#include <string_view>
#include <vector>

namespace parley::retrieval::index {

std::string encode_list(const std::vector<std::string>& items);
std::vector<std::string> decode_list(std::string_view bytes);

}  // namespace parley::retrieval::index
