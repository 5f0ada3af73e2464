#pragma once
// Percent-encoding in paths (RFC 3986, 2.1). A plain function, any thread; bad text is a value.

#include <optional>
#include <string>
#include <string_view>

namespace parley::app::http {

// Nullopt: a '%' without two hexadecimal digits, or an encoded NUL.
std::optional<std::string> decode_percent(std::string_view text);

}  // namespace parley::app::http
