#pragma once
// Template source to tokens. Pure functions, any thread. Throws TemplateError.

#include <string>
#include <string_view>
#include <vector>

#include "orchestration/jinja/token.h"

namespace parley::orchestration::jinja {

// Newlines as \n, without the last one: what offsets refer to.
std::string normalize_source(std::string_view source);

// White space around tags is already taken away as trim_blocks, lstrip_blocks and the signs - and + demand.
// The last token is `end`. Throws TemplateError.
std::vector<Token> tokenize(std::string_view normalized_source);

}  // namespace parley::orchestration::jinja
