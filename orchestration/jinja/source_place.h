#pragma once
// Where in a template's source something is, in words for an error message. Pure function, any thread,
// never fails.

#include <cstddef>
#include <string>
#include <string_view>

namespace parley::orchestration::jinja {

struct SourcePlace {
  std::size_t line = 1;    // from 1
  std::size_t column = 1;  // from 1, in code points
  std::string snippet;     // of that line, from the column on
};

SourcePlace place_in(std::string_view source, std::size_t offset);

// "chat template line 3, column 9: MESSAGE, near `SNIPPET`"
std::string located_message(std::string_view source, std::size_t offset, std::string_view message);

}  // namespace parley::orchestration::jinja
