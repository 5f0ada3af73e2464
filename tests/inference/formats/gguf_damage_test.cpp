// Damaged files: cut at every byte, and with bits flipped at random. Opening either fails with
// std::runtime_error or gives a file all of whose tensor bytes can be read.

#include <gtest/gtest.h>

#include <cstdint>
#include <random>
#include <stdexcept>
#include <string>

#include "inference/formats/gguf.h"
#include "tests/fakes/gguf_writer.h"
#include "tests/fakes/temp_directory.h"

namespace parley::inference::formats {
namespace {

using tests::fakes::GgufWriter;

std::string sample_file() {
  GgufWriter writer;
  writer.add("general.architecture", "llama").add("general.alignment", 32U).add("llama.block_count", 2U);
  writer.add("rope", 1e4F).add("flag", true).add("wide", std::int64_t{-1});
  writer.add_array<std::string>("tokens", {"a", "b", "longer than the small buffer of a string"});
  writer.add_array<float>("scores", {0.5F, 1, 2}).add_array<std::int32_t>("types", {1, 2, 3});
  writer.add_f32("norm", {8}, std::vector<float>(8, 1.0F));
  writer.add_tensor("weight", {32, 4}, 8, std::string(34 * 4, 'q'));
  writer.add_tensor("wide", {256, 1}, 12, std::string(144, 'k'));
  return writer.bytes();
}

// Reads every byte that the file claims to have; outside the mapping this ends the process.
std::uint64_t touch(const GgufFile& file) {
  std::uint64_t sum = 0;
  for (const TensorInfo& tensor : file.tensors()) {
    const auto& matrix = tensor.matrix;
    const std::size_t bytes = kernels::dtypes::row_bytes(matrix.dtype, matrix.columns) * matrix.rows;
    for (std::size_t i = 0; i < bytes; ++i) sum += std::to_integer<std::uint64_t>(matrix.data[i]);
  }
  return sum;
}

class GgufDamage : public testing::Test {
 protected:
  // True: the file opened.
  bool survives(std::string_view bytes) {
    GgufWriter::write_file(path_, bytes);
    try {
      sum_ += touch(*open_gguf(path_));
      return true;
    } catch (const std::runtime_error& error) {
      EXPECT_TRUE(std::string(error.what()).starts_with(path_.string() + ": ")) << error.what();
      return false;
    }
  }

  tests::fakes::TempDirectory directory_;
  std::filesystem::path path_ = directory_.path() / "damaged.gguf";
  std::uint64_t sum_ = 0;
};

TEST_F(GgufDamage, a_file_cut_at_any_byte_is_refused) {
  const std::string bytes = sample_file();
  ASSERT_TRUE(survives(bytes));
  for (std::size_t length = 0; length < bytes.size(); ++length) {
    EXPECT_FALSE(survives(std::string_view(bytes).substr(0, length))) << "cut at byte " << length;
  }
}

TEST_F(GgufDamage, flipped_bits_never_crash) {
  const std::string bytes = sample_file();
  constexpr std::uint32_t kSeed = 20240607;
  std::mt19937 random(kSeed);
  int opened = 0;
  constexpr int kFiles = 6000;
  for (int i = 0; i < kFiles; ++i) {
    std::string damaged = bytes;
    const int flips = 1 + static_cast<int>(random() % 4);
    for (int flip = 0; flip < flips; ++flip) {
      damaged[random() % damaged.size()] ^= static_cast<char>(1U << (random() % 8));
    }
    opened += survives(damaged) ? 1 : 0;
  }
  EXPECT_GT(opened, 0) << "flips in tensor data must not be noticed here";
  EXPECT_LT(opened, kFiles);
}

TEST_F(GgufDamage, every_header_byte_set_to_its_extremes_never_crashes) {
  const std::string bytes = sample_file();
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    for (const char value : {'\x00', '\x01', '\x7f', '\x80', '\xff'}) {
      std::string damaged = bytes;
      damaged[i] = value;
      survives(damaged);
    }
  }
}

}  // namespace
}  // namespace parley::inference::formats
