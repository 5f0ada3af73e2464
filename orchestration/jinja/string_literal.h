#pragma once
// Escapes in string literals, as Python reads them. Pure function, any thread. Throws TemplateError.

#include <cstddef>
#include <string>
#include <string_view>

namespace parley::orchestration::jinja {

// The value of the literal between the quotes, source bytes [begin, end). Unknown escapes stay as they are
// written.
std::string unescape(std::string_view source, std::size_t begin, std::size_t end);

}  // namespace parley::orchestration::jinja
