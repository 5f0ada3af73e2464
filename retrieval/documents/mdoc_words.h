#pragma once
// The words of a line of mdoc(7) macros, as they are printed: ".Fl a Ar file" is "-a file". Pure function.

#include <string>
#include <string_view>
#include <vector>

namespace parley::retrieval::documents {

bool is_mdoc_word_macro(std::string_view name);

// `words`: the macro and its arguments, escapes resolved. `page_name` is what ".Nm" stands for.
std::string mdoc_words(const std::vector<std::string>& words, std::string_view page_name);

}  // namespace parley::retrieval::documents
