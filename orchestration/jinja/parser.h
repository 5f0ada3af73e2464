#pragma once
// Template source to statements, as Jinja2 reads it. Throws TemplateError with line, column and snippet.
// Recursion is bounded whatever the source. Pure function, any thread.

#include <string>
#include <string_view>
#include <vector>

#include "orchestration/jinja/ast.h"

namespace parley::orchestration::jinja {

struct ParsedTemplate {
  std::string source;              // what offsets refer to
  std::vector<std::string> names;  // by NameId
  Block body;
};

ParsedTemplate parse(std::string_view source);

}  // namespace parley::orchestration::jinja
