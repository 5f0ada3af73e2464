#include "orchestration/tools/audit_page.h"

#include <gtest/gtest.h>

#include "orchestration/tools/private_file.h"
#include "tests/orchestration/tools/scratch_folder.h"

namespace parley::orchestration::tools {
namespace {

class AuditPageTest : public testing::Test {
 protected:
  void add(const std::string& tool) {
    AuditRecord record;
    record.time = std::chrono::system_clock::time_point(std::chrono::milliseconds(1'796'034'195'042));
    record.tool = tool;
    record.decision = "once";
    record.end = "ok";
    record.duration = std::chrono::milliseconds(12);
    ASSERT_EQ(append_audit_record(path_, record), std::nullopt);
  }
  std::string tools_of(const AuditPage& page) {
    std::string names;
    for (const AuditEntry& entry : page.entries) names += entry.record.tool + " ";
    return names;
  }

  const ScratchFolder folder_;
  const std::filesystem::path path_ = folder_ / "tools.log";
};

TEST_F(AuditPageTest, GivesTheNewestFirstAndThenTheOlderOnes) {
  for (int i = 0; i < 5; ++i) add("t" + std::to_string(i));
  const AuditPage first = read_audit_page(path_, std::nullopt, 2);
  EXPECT_EQ(tools_of(first), "t4 t3 ");
  EXPECT_EQ(first.entries[0].record.end, "ok");
  EXPECT_EQ(first.entries[0].record.duration, std::chrono::milliseconds(12));
  ASSERT_TRUE(first.before);
  add("t5");  // moves nothing
  const AuditPage second = read_audit_page(path_, first.before, 2);
  EXPECT_EQ(tools_of(second), "t2 t1 ");
  const AuditPage last = read_audit_page(path_, second.before, 2);
  EXPECT_EQ(tools_of(last), "t0 ");
  EXPECT_FALSE(last.before);
  EXPECT_EQ(last.entries[0].at, 0u);
  EXPECT_EQ(read_audit_page(path_, std::nullopt, 1).entries[0].at,
            ScratchFolder::read(path_).rfind("{\"time\""));
}

TEST_F(AuditPageTest, AFullPageOfAllThereIsHasNoneBehindIt) {
  add("a");
  add("b");
  const AuditPage page = read_audit_page(path_, std::nullopt, 2);
  EXPECT_EQ(tools_of(page), "b a ");
  EXPECT_FALSE(page.before);
}

TEST_F(AuditPageTest, ReadsLinesAcrossBlocks) {
  for (int i = 0; i < 400; ++i) add(std::string(static_cast<std::size_t>(i), 'x') + std::to_string(i));
  std::optional<std::uint64_t> before;
  int next = 399;
  do {
    const AuditPage page = read_audit_page(path_, before, 7);
    for (const AuditEntry& entry : page.entries) {
      EXPECT_EQ(entry.record.tool, std::string(static_cast<std::size_t>(next), 'x') + std::to_string(next));
      --next;
    }
    EXPECT_EQ(page.damaged_lines, 0u);
    before = page.before;
  } while (before);
  EXPECT_EQ(next, -1);
}

TEST_F(AuditPageTest, LeavesOutAndCountsDamagedLines) {
  add("a");
  append_private_file(path_, "not JSON\n\n" + std::string(1'000'000, 'x') + "\n");
  add("b");
  append_private_file(path_, "{\"time\":");  // cut, by a full disk
  AuditPage page = read_audit_page(path_, std::nullopt, 10);
  EXPECT_EQ(tools_of(page), "b a ");
  EXPECT_EQ(page.damaged_lines, 4u);
  EXPECT_FALSE(page.before);
  page = read_audit_page(path_, std::nullopt, 3);
  EXPECT_EQ(tools_of(page), "b ");
  page = read_audit_page(path_, page.before, 10);
  EXPECT_EQ(tools_of(page), "a ");
  EXPECT_EQ(page.damaged_lines, 2u);
}

TEST_F(AuditPageTest, NoCallYetIsAnEmptyPage) {
  const AuditPage page = read_audit_page(path_, std::nullopt, 10);
  EXPECT_TRUE(page.entries.empty() && !page.before && page.problem.empty());
  append_private_file(path_, "");
  EXPECT_TRUE(read_audit_page(path_, 77, 10).entries.empty());
}

TEST_F(AuditPageTest, SaysWhyTheFileCannotBeRead) {
  std::filesystem::create_directory(path_);
  EXPECT_NE(read_audit_page(path_, std::nullopt, 10).problem.find("tools.log cannot be read"),
            std::string::npos);
}

}  // namespace
}  // namespace parley::orchestration::tools
