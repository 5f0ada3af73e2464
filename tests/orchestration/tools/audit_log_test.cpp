#include "orchestration/tools/audit_log.h"

#include <gtest/gtest.h>

#include "orchestration/tools/private_file.h"
#include "orchestration/tools/sha256.h"
#include "tests/orchestration/tools/scratch_folder.h"

namespace parley::orchestration::tools {
namespace {

using std::chrono::milliseconds;

AuditRecord record(std::string tool, std::string chat = "c1") {
  return {.time = std::chrono::system_clock::time_point(milliseconds(1'796'034'195'042)),
          .chat = std::move(chat),
          .tool = std::move(tool),
          .source = "command",
          .arguments_hash = arguments_hash({{"city", "Oslo"}}),
          .decision = "once",
          .end = "ok",
          .duration = milliseconds(12)};
}

TEST(AuditLogTest, WritesOneObjectALine) {
  const ScratchFolder folder;
  const auto path = folder / "tools.log";
  EXPECT_EQ(append_audit_record(path, record("weather\n{")), std::nullopt);
  // `date -u -d @1796034195` and `printf '{"city":"Oslo"}' | sha256sum`
  EXPECT_EQ(ScratchFolder::read(path),
            "{\"time\":\"2026-11-30T10:23:15.042Z\",\"chat\":\"c1\",\"tool\":\"weather\\n{\",\"source\":"
            "\"command\","
            "\"arguments\":\"" +
                sha256_hex("{\"city\":\"Oslo\"}") +
                "\",\"decision\":\"once\",\"end\":\"ok\",\"duration_ms\":12}\n");
  EXPECT_EQ(mode_of(path), 0600u);
}

TEST(AuditLogTest, ReadsBackTheLastOnesThatMatch) {
  const ScratchFolder folder;
  const auto path = folder / "tools.log";
  for (int i = 0; i < 5; ++i)
    append_audit_record(path, record("t" + std::to_string(i), i % 2 == 0 ? "even" : "odd"));
  AuditLog log = read_audit_log(path, {.limit = 2, .chat = {}, .tool = {}});
  ASSERT_EQ(log.records.size(), 2u);
  EXPECT_EQ(log.records[0].tool, "t3");
  EXPECT_EQ(log.records[1].tool, "t4");
  EXPECT_EQ(log.records[1].time, record("x").time);
  EXPECT_EQ(log.records[1].duration, milliseconds(12));
  log = read_audit_log(path, {.limit = 10, .chat = "odd", .tool = {}});
  ASSERT_EQ(log.records.size(), 2u);
  EXPECT_EQ(log.records[0].tool, "t1");
  EXPECT_EQ(read_audit_log(path, {.limit = 10, .chat = {}, .tool = "t2"}).records.size(), 1u);
}

TEST(AuditLogTest, SkipsAndCountsDamagedLines) {
  const ScratchFolder folder;
  const auto path = folder / "tools.log";
  append_audit_record(path, record("a"));
  append_private_file(path, "not JSON\n{\"time\":\"yesterday\"}\n\n[]\n");
  append_audit_record(path, record("b"));
  append_private_file(path, "{\"time\":\"2026-11");
  const AuditLog log = read_audit_log(path, {});
  EXPECT_EQ(log.records.size(), 2u);
  EXPECT_EQ(log.damaged_lines, 5u);
}

TEST(AuditLogTest, IsPutAsideBeforeItGrowsWithoutEndAndReadAcrossBoth) {
  const ScratchFolder folder;
  const auto path = folder / "tools.log";
  for (int i = 0; i < 20; ++i)
    EXPECT_EQ(append_audit_record(path, record("t" + std::to_string(i)), 1000), std::nullopt);
  EXPECT_LT(std::filesystem::file_size(path), 1300u);
  EXPECT_LT(std::filesystem::file_size(folder / "tools.log.1"), 1300u);
  EXPECT_EQ(mode_of(folder / "tools.log.1"), 0600u);
  EXPECT_FALSE(std::filesystem::exists(folder / "tools.log.1.1"));
  const AuditLog log = read_audit_log(path, {});
  ASSERT_GT(log.records.size(), 5u) << "more than one file holds";
  EXPECT_EQ(log.records.back().tool, "t19");
  EXPECT_EQ(log.records.front().tool, "t" + std::to_string(20 - log.records.size()))
      << "oldest first, none missing";
  EXPECT_EQ(log.damaged_lines, 0u);
}

TEST(AuditLogTest, NoFileIsNoCallYet) {
  const AuditLog log = read_audit_log("/no/such/file", {});
  EXPECT_TRUE(log.records.empty());
  EXPECT_EQ(log.problem, "");
}

}  // namespace
}  // namespace parley::orchestration::tools
