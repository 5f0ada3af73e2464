#include "orchestration/turn/uuid.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

namespace parley::orchestration::turn {
namespace {

TEST(Uuid, AreDifferentAndWellFormed) {
  std::set<std::string> seen;
  for (int i = 0; i < 1000; ++i) {
    const std::string id = make_uuid();
    EXPECT_TRUE(is_uuid(id)) << id;
    EXPECT_EQ(id[14], '4');
    EXPECT_NE(std::string("89ab").find(id[19]), std::string::npos);
    seen.insert(id);
  }
  EXPECT_EQ(seen.size(), 1000u);
}

TEST(Uuid, OnlyTheCanonicalFormCounts) {
  EXPECT_TRUE(is_uuid("0190a0b1-c2d3-7e4f-8a9b-0123456789ab"));
  for (const char* bad : {"", "0190a0b1-c2d3-7e4f-8a9b-0123456789a", "0190a0b1-c2d3-7e4f-8a9b-0123456789abc",
                          "0190A0b1-c2d3-7e4f-8a9b-0123456789ab", "0190a0b1+c2d3-7e4f-8a9b-0123456789ab",
                          "0190a0b1c-2d3-7e4f-8a9b-0123456789ab", "g190a0b1-c2d3-7e4f-8a9b-0123456789ab"}) {
    EXPECT_FALSE(is_uuid(bad)) << bad;
  }
}

}  // namespace
}  // namespace parley::orchestration::turn
