#include "orchestration/sandbox/tool_user.h"

#include <gtest/gtest.h>
#include <pwd.h>
#include <unistd.h>

namespace parley::orchestration::sandbox {
namespace {

TEST(ToolUser, IsNeverRoot) {
  const ToolUser user = tool_user();
  EXPECT_NE(user.user, 0U);
  EXPECT_NE(user.group, 0U);
}

TEST(ToolUser, IsNobodyElseWhenStartedAsRootAndOurselvesOtherwise) {
  const ToolUser user = tool_user();
  if (::geteuid() != 0) {
    EXPECT_EQ(user.user, ::geteuid());
    EXPECT_FALSE(user.changed);
    return;
  }
  EXPECT_TRUE(user.changed);
  EXPECT_GE(user.user, kFirstToolUser);
  EXPECT_LE(user.user, kLastToolUser);
  EXPECT_EQ(::getpwuid(user.user), nullptr);
}

}  // namespace
}  // namespace parley::orchestration::sandbox
