#pragma once
// What a tool call consists of beside its text. Plain values.

#include <string>
#include <vector>

namespace parley::orchestration::calls {

// What a call would do, for the person who has to approve it: complete, nothing shortened.
struct CallPreview {
  std::string kind;                // "command", "request", "mcp", "builtin"
  std::vector<std::string> words;  // the argument vector; or method and URL; or server and tool
  std::string input;               // standard input or request body, empty if none
};

// A picture that a tool gave.
struct CallImage {
  std::string media_type;  // "image/png"
  std::string bytes;
};

}  // namespace parley::orchestration::calls
