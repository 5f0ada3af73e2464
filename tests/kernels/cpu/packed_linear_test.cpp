#include "kernels/cpu/packed_linear.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <fstream>
#include <string>

#include "kernels/dtypes/dequantize.h"
#include "tests/kernels/cpu/stored_matrix.h"

namespace parley::kernels::cpu {
namespace {

using dtypes::DType;
using dtypes::MatrixView;

TEST(WeightArena, MemoryIsAlignedZeroAndDisjoint) {
  WeightArena arena;
  std::byte* end = nullptr;
  for (const std::size_t bytes : {std::size_t{1}, std::size_t{64}, std::size_t{100}, std::size_t{5} << 20}) {
    std::byte* memory = arena.allocate(bytes);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(memory) % 64, 0u);
    EXPECT_TRUE(end == nullptr || memory >= end);
    for (std::size_t i = 0; i < bytes; i += 4099) EXPECT_EQ(memory[i], std::byte{0});
    end = memory + bytes;
  }
}

TEST(WeightArena, ALayerLargerThanASlabFits) {
  WeightArena arena;
  arena.allocate(100);
  std::byte* large = arena.allocate(std::size_t{100} << 20);
  large[(std::size_t{100} << 20) - 1] = std::byte{1};
  EXPECT_GE(arena.bytes_used(), std::size_t{100} << 20);
}

// Bytes a weight of the packed forms, headers included.
TEST(PackedLinear, SizesAreThoseOfTheLayout) {
  struct Case {
    DType dtype;
    std::size_t bytes;  // of 16 x 256 weights
  };
  for (const Case& c :
       {Case{DType::q4_0, 2304}, Case{DType::q4_1, 2560}, Case{DType::q4_k, 2368}, Case{DType::q5_0, 2816},
        Case{DType::q8_0, 4352}, Case{DType::q5_1, 3072}, Case{DType::q5_k, 2880}, Case{DType::q6_k, 3392},
        Case{DType::f16, 8192}, Case{DType::f32, 16384}}) {
    const StoredMatrix weights(c.dtype, 33, 256, 1);
    WeightArena arena;
    const PackedLinear layer({{weights.view}}, {}, arena);
    EXPECT_EQ(layer.num_panels(), 3);
    EXPECT_EQ(layer.outputs(), 33);
    EXPECT_EQ(layer.columns(), 256);
    EXPECT_EQ(layer.bytes(), 3 * c.bytes) << dtypes::traits(c.dtype).name;
  }
}

TEST(PackedLinear, PackingInPiecesEqualsPackingAtOnce) {
  const StoredMatrix q(DType::q4_k, 70, 512, 2);
  const StoredMatrix v(DType::q6_k, 40, 512, 3);
  const StoredMatrix q_bias(DType::f32, 1, 70, 4);
  const std::vector<MatrixView> parts = {q.view, v.view};
  const std::vector<MatrixView> biases = {q_bias.view, {}};
  WeightArena arena;
  PackedLinear whole(parts, biases, arena);
  PackedLinear pieces(parts, biases, arena);
  whole.pack({0, 8});
  for (const PanelRange range : {PanelRange{4, 6}, {0, 1}, {6, 8}, {1, 4}}) pieces.pack(range);
  for (std::size_t i = 0; i < 2; ++i) {
    const PackedLinear::Part& a = whole.parts()[i];
    const PackedLinear::Part& b = pieces.parts()[i];
    EXPECT_EQ(std::memcmp(a.panels, b.panels, a.panel_bytes * static_cast<std::size_t>(a.num_panels)), 0);
  }
  const float* bias = pieces.parts()[0].bias;
  EXPECT_EQ(std::memcmp(bias, q_bias.bytes.data(), q_bias.bytes.size()), 0);
  for (int i = 70; i < 80; ++i) EXPECT_EQ(bias[i], 0.0f);
  EXPECT_EQ(pieces.parts()[1].bias, nullptr);
}

TEST(PackedLinear, SharesCoverEveryPanelOnceAndWeighAboutTheSame) {
  const StoredMatrix a(DType::q4_k, 16 * 96, 256, 5);
  const StoredMatrix b(DType::q6_k, 16 * 16, 256, 6);
  WeightArena arena;
  const PackedLinear layer({{a.view, b.view}}, {}, arena);
  for (const int count : {1, 2, 3, 7, 16, 200}) {
    int next = 0;
    for (int index = 0; index < count; ++index) {
      const PanelRange range = layer.share(index, count);
      EXPECT_EQ(range.first, next);
      EXPECT_LE(range.first, range.last);
      next = range.last;
    }
    EXPECT_EQ(next, layer.num_panels());
  }
  const int half = layer.share(0, 2).last;
  EXPECT_NEAR(half * 2368.0, static_cast<double>(layer.bytes()) / 2, 2368.0);
}

// Panels of different formats and part-filled last ones lie between the rows.
TEST(PackedLinear, UnpacksTheRowsOfAllParts) {
  const StoredMatrix q(DType::q4_k, 33, 256, 10), k(DType::q6_k, 16, 256, 11), v(DType::f16, 5, 256, 12);
  const std::vector<MatrixView> parts = {q.view, k.view, v.view};
  WeightArena arena;
  PackedLinear layer(parts, {}, arena);
  layer.pack({0, layer.num_panels()});
  int output = 0;
  for (const MatrixView& part : parts) {
    for (std::int64_t row = 0; row < part.rows; ++row, ++output) {
      std::vector<float> expected(256), got(256);
      dtypes::dequantize_row(part, row, expected);
      layer.unpack_row(output, got);
      ASSERT_TRUE(same_bits(got, expected)) << output;
    }
  }
  EXPECT_EQ(output, layer.outputs());
}

TEST(PackedLinear, MovingKeepsThePanels) {
  const StoredMatrix weights(DType::q8_0, 16, 64, 7);
  WeightArena arena;
  PackedLinear layer({{weights.view}}, {}, arena);
  layer.pack({0, 1});
  const std::byte* panels = layer.parts()[0].panels;
  const PackedLinear moved = std::move(layer);
  EXPECT_EQ(moved.parts()[0].panels, panels);
  EXPECT_EQ(moved.outputs(), 16);
}

TEST(DropSourcePages, LeavesOrdinaryMemoryAlone) {
  const StoredMatrix weights(DType::q8_0, 512, 1024, 8);
  const std::vector<std::byte> before = weights.bytes;
  drop_source_pages(weights.view);
  EXPECT_EQ(weights.bytes, before);
}

std::size_t resident_pages(void* begin, std::size_t bytes) {
  // mincore tells about the page cache, smaps about this process.
  std::ifstream smaps("/proc/self/smaps");
  std::string line;
  bool inside = false;
  char start[32];
  std::snprintf(start, sizeof start, "%lx-", reinterpret_cast<unsigned long>(begin));
  while (std::getline(smaps, line)) {
    if (line.rfind(start, 0) == 0) inside = true;
    unsigned long kilobytes = 0;
    if (inside && std::sscanf(line.c_str(), "Rss: %lu kB", &kilobytes) == 1) return kilobytes / 4;
  }
  ADD_FAILURE() << "mapping of " << bytes << " bytes not found";
  return 0;
}

TEST(DropSourcePages, TakesAFileMappingOutOfResidentMemoryAndKeepsItsContent) {
  const StoredMatrix weights(DType::q8_0, 512, 1024, 9);
  std::string path = testing::TempDir() + "parley_drop_pages_XXXXXX";
  const int file = mkstemp(path.data());
  ASSERT_GE(file, 0);
  ASSERT_EQ(write(file, weights.bytes.data(), weights.bytes.size()),
            static_cast<ssize_t>(weights.bytes.size()));
  void* mapping = mmap(nullptr, weights.bytes.size(), PROT_READ, MAP_PRIVATE | MAP_POPULATE, file, 0);
  ASSERT_NE(mapping, MAP_FAILED);
  const std::size_t before = resident_pages(mapping, weights.bytes.size());
  EXPECT_GE(before, weights.bytes.size() / 4096 / 2);
  drop_source_pages({DType::q8_0, 512, 1024, static_cast<const std::byte*>(mapping)});
  EXPECT_LE(resident_pages(mapping, weights.bytes.size()), 2u);
  EXPECT_EQ(std::memcmp(mapping, weights.bytes.data(), weights.bytes.size()), 0);
  munmap(mapping, weights.bytes.size());
  close(file);
  unlink(path.c_str());
}

}  // namespace
}  // namespace parley::kernels::cpu
