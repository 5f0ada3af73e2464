#pragma once
// Files of NAME=value lines (.env): comments, `export`, single and double quotes. Pure, any thread; lines
// that are none of it are counted, not guessed at.

#include <cstddef>
#include <map>
#include <string>
#include <string_view>

namespace parley::orchestration::tools {

struct EnvironmentFile {
  std::map<std::string, std::string> values;  // of a name given twice, the last
  std::size_t bad_line = 0;                   // the first that cannot be read, from 1; 0: none
};

EnvironmentFile parse_environment_file(std::string_view text);

}  // namespace parley::orchestration::tools
