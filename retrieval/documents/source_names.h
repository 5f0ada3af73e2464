#pragma once
// Source code and configuration by name. Pure functions, any thread.

#include <string_view>

namespace parley::retrieval::documents {

// "text/x-python" of "py"; by the whole name where there is no extension ("Makefile"). Empty: none.
std::string_view source_media_type(std::string_view extension, std::string_view file_name);

bool is_perl_name(std::string_view extension);  // may hold POD

}  // namespace parley::retrieval::documents
