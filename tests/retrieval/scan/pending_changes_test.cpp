#include "retrieval/scan/pending_changes.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace parley::retrieval::scan {
namespace {

using std::chrono::milliseconds;
using Paths = std::vector<std::string>;

class PendingChangesTest : public ::testing::Test {
 protected:
  static PendingChanges::Time at(int ms) { return PendingChanges::Time(milliseconds(1'000'000 + ms)); }
  PendingChanges pending_{milliseconds(1'000), milliseconds(10'000)};
};

TEST_F(PendingChangesTest, TellsAPathOnceItHasBeenQuiet) {
  EXPECT_EQ(pending_.next_due(), std::nullopt);
  pending_.touch("a", at(0));
  pending_.touch("a", at(600));
  EXPECT_EQ(pending_.next_due(), at(1'600));
  EXPECT_EQ(pending_.take_due(at(1'599)), Paths{});
  EXPECT_EQ(pending_.take_due(at(1'600)), Paths{"a"});
  EXPECT_EQ(pending_.take_due(at(9'000)), Paths{});
  EXPECT_EQ(pending_.size(), 0U);
}

TEST_F(PendingChangesTest, TellsAPathThatIsNeverQuietAfterTheLongestTime) {
  for (int ms = 0; ms < 10'000; ms += 500) {
    EXPECT_EQ(pending_.take_due(at(ms)), Paths{});
    pending_.touch("log", at(ms));
  }
  EXPECT_EQ(pending_.take_due(at(10'000)), Paths{"log"});
  pending_.touch("log", at(10'500));
  EXPECT_EQ(pending_.next_due(), at(11'500));
}

TEST_F(PendingChangesTest, LetsAFolderStandForWhatIsBelowIt) {
  for (const char* path : {"a/b/c", "a-b", "a/b", "a", "b/x", "ab"}) {
    pending_.touch(path, at(0));
  }
  EXPECT_EQ(pending_.take_due(at(2'000)), (Paths{"a", "a-b", "ab", "b/x"}));
  pending_.touch("x/y", at(2'000));
  pending_.touch("", at(2'000));
  EXPECT_EQ(pending_.take_due(at(4'000)), Paths{""});
}

TEST_F(PendingChangesTest, BeginsAPathAnew) {
  pending_.touch("a", at(0));
  pending_.restart("a", at(9'900));
  EXPECT_EQ(pending_.next_due(), at(10'900));
  pending_.restart("new", at(9'900));
  EXPECT_EQ(pending_.size(), 2U);
  EXPECT_TRUE(pending_.contains("new"));
  EXPECT_FALSE(pending_.contains("other"));
  pending_.clear();
  EXPECT_EQ(pending_.next_due(), std::nullopt);
}

}  // namespace
}  // namespace parley::retrieval::scan
