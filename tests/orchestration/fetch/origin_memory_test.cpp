#include "orchestration/fetch/origin_memory.h"

#include <gtest/gtest.h>

namespace parley::orchestration::fetch {
namespace {

TEST(OriginMemoryTest, LetsAPrivateOriginBecomePublicButNotTheOtherWay) {
  OriginMemory memory;
  EXPECT_TRUE(memory.allows("http://a", AddressKind::closed));
  EXPECT_TRUE(memory.allows("http://a", AddressKind::open));
  EXPECT_TRUE(memory.allows("http://a", AddressKind::closed));
  EXPECT_TRUE(memory.allows("http://b", AddressKind::open));
  EXPECT_TRUE(memory.allows("http://b", AddressKind::open));
  EXPECT_FALSE(memory.allows("http://b", AddressKind::closed));
  EXPECT_FALSE(memory.allows("http://b", AddressKind::closed));
}

TEST(OriginMemoryTest, IsBounded) {
  OriginMemory memory;
  for (std::size_t i = 0; i < OriginMemory::kMaxOrigins; ++i)
    memory.allows(std::to_string(i), AddressKind::open);
  EXPECT_TRUE(memory.allows("one more", AddressKind::open));
  EXPECT_TRUE(memory.allows("one more", AddressKind::closed));
  EXPECT_FALSE(memory.allows("0", AddressKind::closed));
}

}  // namespace
}  // namespace parley::orchestration::fetch
