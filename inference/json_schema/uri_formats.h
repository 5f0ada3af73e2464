#pragma once
// Whether a text is a URI (RFC 3986). Pure, any thread.

#include <string_view>

namespace parley::inference::json_schema {

bool is_uri(std::string_view text);  // with a scheme
bool is_uri_reference(std::string_view text);

}  // namespace parley::inference::json_schema
