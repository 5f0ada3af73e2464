#pragma once
// The GGUF file of a test: written from a GgufWriter or from bytes, then opened or refused. One thread.

#include <gtest/gtest.h>

#include <cstdint>
#include <filesystem>
#include <limits>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>

#include "inference/formats/gguf.h"
#include "tests/fakes/gguf_writer.h"
#include "tests/fakes/temp_directory.h"

namespace parley::inference::formats {

// Sizes and counts that have broken other readers.
inline constexpr std::uint64_t kHostileNumbers[] = {std::uint64_t{1} << 31,
                                                    (std::uint64_t{1} << 31) - 1,
                                                    std::uint64_t{1} << 32,
                                                    (std::uint64_t{1} << 42) + 1,
                                                    std::uint64_t{1} << 62,
                                                    (std::uint64_t{1} << 63) - 1,
                                                    std::uint64_t{1} << 63,
                                                    std::numeric_limits<std::uint64_t>::max() - 1,
                                                    std::numeric_limits<std::uint64_t>::max()};

class WrittenFile : public testing::Test {
 protected:
  std::unique_ptr<GgufFile> open(const tests::fakes::GgufWriter& writer) {
    writer.write(path_);
    return open_gguf(path_);
  }
  template <typename T>
  static T value(const GgufFile& file, std::string_view key) {
    const MetadataValue* found = file.find_metadata(key);
    if (found == nullptr) throw std::logic_error("no key " + std::string(key));
    return std::get<T>(*found);
  }

  // What is wrong with the file, without its name.
  std::string error_of_file() {
    try {
      open_gguf(path_);
    } catch (const std::runtime_error& error) {
      const std::string text = error.what();
      const std::string prefix = path_.string() + ": ";
      return text.starts_with(prefix) ? text.substr(prefix.size()) : "no file name: " + text;
    }
    return "no error";
  }
  std::string error_of_bytes(std::string_view bytes) {
    tests::fakes::GgufWriter::write_file(path_, bytes);
    return error_of_file();
  }
  std::string error_of(const tests::fakes::GgufWriter& writer) { return error_of_bytes(writer.bytes()); }

  tests::fakes::TempDirectory directory_;
  std::filesystem::path path_ = directory_.path() / "model.gguf";
};

}  // namespace parley::inference::formats
