#include "inference/backend/kv_cache.h"

#include <gtest/gtest.h>

#include <cstring>
#include <iterator>
#include <limits>
#include <set>
#include <stdexcept>
#include <string>

#include "tests/fakes/message_of.h"

namespace parley::inference::backend {
namespace {

BackendOptions options_with(KvType type) {
  BackendOptions options;
  options.shape.num_layers = 3;
  options.shape.num_kv_heads = 2;
  options.shape.head_dim = 32;
  options.kv_type = type;
  options.num_blocks = 5;
  return options;
}

TEST(KvCache, PiecesAreApartAndFillTheBlocks) {
  for (const KvType type : {KvType::f16, KvType::f32}) {
    const BackendOptions options = options_with(type);
    const KvCache cache(options);
    const std::size_t piece = 2 * cache.head_bytes();
    EXPECT_EQ(cache.head_bytes(), std::size_t{16} * 32 * (type == KvType::f16 ? 2 : 4));
    std::set<std::byte*> starts;
    for (std::int32_t block = 0; block < 5; ++block) {
      for (int layer = 0; layer < 3; ++layer) {
        for (std::byte* start : {cache.keys(block, layer), cache.values(block, layer)}) {
          starts.insert(start);
          std::memset(start, 1, piece);
        }
      }
    }
    ASSERT_EQ(starts.size(), 30u);
    std::byte* last = *starts.begin();
    for (auto start = std::next(starts.begin()); start != starts.end(); last = *start++) {
      EXPECT_EQ(*start - last, static_cast<std::ptrdiff_t>(piece));
    }
    EXPECT_EQ(static_cast<std::size_t>(last - *starts.begin()) + piece,
              5 * kv_block_bytes(options.shape, type));
  }
}

TEST(KvCache, SaysWhatToDoWhenTheMemoryCannotBeHad) {
  BackendOptions options = options_with(KvType::f32);
  options.num_blocks = std::numeric_limits<std::int32_t>::max();
  options.shape.num_layers = 10000;
  const std::string error = tests::fakes::message_of([&] { const KvCache cache(options); });
  EXPECT_NE(error.find("lower"), std::string::npos) << error;
}

}  // namespace
}  // namespace parley::inference::backend
