#pragma once
// Outputs that were too long for a model, kept in full by whoever runs the calls.

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace parley::orchestration::tools {

struct OutputPart {
  std::size_t offset = 0;  // bytes before `text`: what was asked for, or behind the character it stood in
  std::string text;        // whole characters
  std::size_t total_bytes = 0;  // of the whole output
};

// Any thread, several calls at once; may block for a file or a database. Throws nothing.
class StoredOutputs {
 public:
  virtual ~StoredOutputs() = default;
  // Only outputs of that chat. Nullopt: there is none of that id. Beyond the end: an empty text.
  virtual std::optional<OutputPart> read(std::string_view chat, std::string_view id, std::size_t offset,
                                         std::size_t max_bytes) const = 0;
};

}  // namespace parley::orchestration::tools
