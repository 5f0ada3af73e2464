#include "app/models/loaded_model.h"

#include <gtest/gtest.h>

namespace parley::app::models {
namespace {

constexpr std::size_t kBlockBytes = 1u << 20;

TEST(ChooseNumBlocks, TakesAQuarterOfFreeMemory) {
  LoadOptions options;
  EXPECT_EQ(choose_num_blocks(options, kBlockBytes, 4000 * kBlockBytes, 8192), 1000);
}

TEST(ChooseNumBlocks, HoldsAtLeastOneContext) {
  LoadOptions options;
  EXPECT_EQ(choose_num_blocks(options, kBlockBytes, 0, 8192), 8192 / 16 + 1);
}

TEST(ChooseNumBlocks, TakesNoMoreThanAllSequencesCanUse) {
  LoadOptions options;
  options.max_sequences = 3;
  EXPECT_EQ(choose_num_blocks(options, 1024, std::size_t{1} << 40, 160), 4 * 10);
  options.kv_memory = std::size_t{1} << 40;
  EXPECT_EQ(choose_num_blocks(options, 1024, 0, 160), 4 * 10);
}

TEST(ChooseNumBlocks, TakesWhatIsAskedFor) {
  LoadOptions options;
  options.kv_memory = 7 * kBlockBytes + 5;
  EXPECT_EQ(choose_num_blocks(options, kBlockBytes, 0, 8192), 7);
  options.kv_memory = kBlockBytes;
  EXPECT_THROW(choose_num_blocks(options, kBlockBytes, 0, 8192), std::runtime_error);
}

TEST(FreeMemory, IsKnown) { EXPECT_GT(free_memory(), std::size_t{1} << 20); }

}  // namespace
}  // namespace parley::app::models
