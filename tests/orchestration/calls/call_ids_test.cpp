#include "orchestration/calls/call_ids.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <set>

namespace parley::orchestration::calls {
namespace {

TEST(CallIds, FollowTheRuleOfTheFamily) {
  EXPECT_EQ(make_call_id(IdRule::free, "now", 3), "call_3");
  EXPECT_EQ(make_call_id(IdRule::functions_and_count, "now", 3), "functions.now:3");
  EXPECT_EQ(make_call_id(IdRule::count, "now", 3), "3");
  EXPECT_EQ(make_call_id(IdRule::nine_alphanumerics, "now", 0), "call00000");
  EXPECT_EQ(make_call_id(IdRule::nine_alphanumerics, "now", 37), "call00011");
}

TEST(CallIds, OfMistralAreNineAlphanumericsAndDiffer) {
  std::set<std::string> ids;
  for (std::size_t count = 0; count < 60000000; count += 99991) {
    const std::string id = make_call_id(IdRule::nine_alphanumerics, "x", count);
    ASSERT_EQ(id.size(), 9u);
    ASSERT_TRUE(
        std::all_of(id.begin(), id.end(), [](unsigned char byte) { return std::isalnum(byte) != 0; }));
    ASSERT_TRUE(ids.insert(id).second) << id;
  }
}

}  // namespace
}  // namespace parley::orchestration::calls
