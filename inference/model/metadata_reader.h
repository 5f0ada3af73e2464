#pragma once
// Reads a model family's metadata keys with their permitted ranges. Borrows the file; immutable, any thread.
// Throws std::runtime_error that names file and key.

#include <string>
#include <string_view>

namespace parley::inference::formats {
class GgufFile;
}

namespace parley::inference::model {

// Inclusive.
template <typename T>
struct Range {
  T least;
  T most;
};

class MetadataReader {
 public:
  // Keys are read as "PREFIX.key".
  MetadataReader(const formats::GgufFile& file, std::string_view prefix) : file_(file), prefix_(prefix) {}

  std::string name(std::string_view key) const { return prefix_ + "." + std::string(key); }
  [[noreturn]] void fail(std::string_view key, const std::string& problem) const;

  int integer(std::string_view key, Range<int> range) const;
  int integer_or(std::string_view key, int fallback, Range<int> range) const;
  double number(std::string_view key, Range<double> range) const;
  double number_or(std::string_view key, double fallback, Range<double> range) const;

 private:
  const formats::GgufFile& file_;
  std::string prefix_;
};

}  // namespace parley::inference::model
