#pragma once
// The formats of JSON Schema that are enforced. Compiled once for all schemas. Pure, any thread, never fails.

#include <memory>
#include <string_view>

#include "inference/grammar/lexeme.h"

namespace parley::inference::grammar {

// The inside of the string. Null: the format is not known.
std::shared_ptr<const Lexeme> format_lexeme(std::string_view format);

}  // namespace parley::inference::grammar
