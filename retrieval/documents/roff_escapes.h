#pragma once
// roff's escape sequences in a line of text: fonts, sizes and motions go, characters by name come out as
// themselves, strings are put in (groff(7), groff_char(7)). One owner each RoffStrings; the rest pure.

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace parley::retrieval::documents {

using RoffStrings = std::map<std::string, std::string, std::less<>>;

// The line's text. A comment (\") ends it.
std::string roff_words(std::string_view line, const RoffStrings& strings);

// A macro's arguments: words, or "several in quotation marks"; escapes are left in.
std::vector<std::string> roff_arguments(std::string_view text);

}  // namespace parley::retrieval::documents
