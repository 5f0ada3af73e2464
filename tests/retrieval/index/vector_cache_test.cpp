// Vectors by model and text.
#include <gtest/gtest.h>

#include "tests/retrieval/index/sample_documents.h"

namespace parley::retrieval::index {
namespace {

using Vectors = std::vector<std::vector<float>>;

TEST(VectorCache, KeepsVectorsByModelAndText) {
  StoreOnDisk on_disk;
  const std::vector<TextHash> texts = {hash_text("a"), hash_text("b"), hash_text("c")};
  const std::vector<TextHash> known = {texts[0], texts[2]};
  const Vectors vectors = {{0.5F, -0.25F, 0.0F}, {1.0F, 0.0F, 0.125F}};
  on_disk.store->cache_vectors("model one", known, vectors);
  on_disk.open();
  EXPECT_EQ(on_disk.store->cached_vectors("model one", texts), (Vectors{vectors[0], {}, vectors[1]}));
  EXPECT_EQ(on_disk.store->cached_vectors("model two", texts), (Vectors{{}, {}, {}}));
}

TEST(VectorCache, RoundsToHalves) {
  StoreOnDisk on_disk;
  const std::vector<TextHash> texts = {hash_text("a")};
  const Vectors vectors = {{0.123456789F}};
  on_disk.store->cache_vectors("m", texts, vectors);
  const Vectors found = on_disk.store->cached_vectors("m", texts);
  EXPECT_NEAR(found[0][0], 0.123456789F, 0.0001F);
}

TEST(VectorCache, TakesTheLastOne) {
  StoreOnDisk on_disk;
  const std::vector<TextHash> texts = {hash_text("a"), hash_text("a")};
  const Vectors vectors = {{1.0F}, {0.5F}};
  on_disk.store->cache_vectors("m", texts, vectors);
  EXPECT_EQ(on_disk.store->cached_vectors("m", texts)[0], (std::vector<float>{0.5F}));
}

TEST(TextHash, IsSha256) {
  const TextHash hash = hash_text("abc");  // FIPS 180-2, appendix B.1
  EXPECT_EQ(hash[0], 0xba);
  EXPECT_EQ(hash[1], 0x78);
  EXPECT_EQ(hash[31], 0xad);
}

}  // namespace
}  // namespace parley::retrieval::index
