// What all conversations share of tools.
#include "orchestration/turn/tool_desk.h"

#include <gtest/gtest.h>

#include <fstream>

#include "tests/fakes/eventually.h"
#include "tests/fakes/scripted_tool.h"
#include "tests/fakes/temp_directory.h"
#include "tests/orchestration/turn/io_driver.h"

namespace parley::orchestration::turn {
namespace {

using tests::fakes::eventually;
using tools::ApprovalScope;
using tools::Decision;

struct ToolDeskTest : testing::Test {
  std::unique_ptr<ToolDesk> make() {
    ToolDeskParts parts;
    parts.current = [this] { return state; };
    parts.approvals_file = folder.path() / "approvals.json";
    parts.audit_file = folder.path() / "tools.log";
    parts.log = [this](const std::string& line) { logged.push_back(line); };
    parts.approvals_changed = [this] { ++num_told; };
    return std::make_unique<ToolDesk>(io.executor(), std::move(parts));
  }
  tests::fakes::TempDirectory folder;
  IoDriver io;
  std::shared_ptr<fakes::ScriptedTool> clock = std::make_shared<fakes::ScriptedTool>("clock", "zone");
  std::shared_ptr<const tools::RegistryState> state = fakes::state_with({clock});
  std::vector<std::string> logged;
  int num_told = 0;
};

TEST_F(ToolDeskTest, AsksUnlessSomebodyAllowed) {
  auto desk = make();
  EXPECT_EQ(desk->decide(clock->spec(), "a"), Decision::ask);
  desk->approve(clock->spec(), "a", ApprovalScope::chat);
  EXPECT_EQ(desk->decide(clock->spec(), "a"), Decision::automatic);
  EXPECT_EQ(desk->decide(clock->spec(), "b"), Decision::ask);
}

TEST_F(ToolDeskTest, ForgetsWhatWasAllowedForAChat) {
  auto desk = make();
  auto other = std::make_shared<fakes::ScriptedTool>("weather", "city");
  desk->approve(clock->spec(), "a", ApprovalScope::chat);
  desk->approve(clock->spec(), "b", ApprovalScope::chat);
  desk->approve(other->spec(), "a", ApprovalScope::always);
  desk->forget_chat("a");
  desk->forget_chat("unknown");
  EXPECT_EQ(desk->decide(clock->spec(), "a"), Decision::ask);
  EXPECT_EQ(desk->decide(clock->spec(), "b"), Decision::automatic);
  EXPECT_EQ(desk->decide(other->spec(), "a"), Decision::automatic) << "which was not for the chat alone";
}

TEST_F(ToolDeskTest, AlwaysOutlivesTheProcessAndNotTheDefinition) {
  make()->approve(clock->spec(), "a", ApprovalScope::always);  // its end waits for the file
  auto desk = make();
  EXPECT_EQ(desk->decide(clock->spec(), "b"), Decision::automatic);
  tools::ToolSpec changed = clock->spec();
  changed.definition_hash = "another";
  EXPECT_EQ(desk->decide(changed, "b"), Decision::ask);
}

TEST_F(ToolDeskTest, TellsWhatWasAllowedAndWhetherItStillHolds) {
  auto desk = make();
  desk->approve(clock->spec(), "a", ApprovalScope::chat);
  desk->approve(clock->spec(), "a", ApprovalScope::always);
  tools::ToolSpec gone = clock->spec();
  gone.name = "gone";
  gone.source = "mcp:files";
  desk->approve(gone, "a", ApprovalScope::always);
  EXPECT_EQ(num_told, 3);
  const auto all = desk->approvals();
  ASSERT_EQ(all.size(), 3u);
  EXPECT_EQ(all[0].tool, "clock");
  EXPECT_EQ(all[0].source, "command");
  EXPECT_EQ(all[0].chat, "");
  EXPECT_GT(all[0].since.value_or(0), 1'700'000'000'000);
  EXPECT_TRUE(all[0].holds);
  EXPECT_EQ(all[1].tool, "gone");
  EXPECT_FALSE(all[1].holds);
  EXPECT_EQ(all[2].chat, "a");
  clock->spec_.definition_hash = "another";
  EXPECT_FALSE(desk->approvals().at(0).holds);
}

TEST_F(ToolDeskTest, WhatIsTakenBackIsAskedForAgainAndLogged) {
  auto desk = make();
  desk->approve(clock->spec(), "a", ApprovalScope::chat);
  desk->approve(clock->spec(), "a", ApprovalScope::always);
  EXPECT_EQ(io.run(desk->withdraw("clock")), std::nullopt);
  EXPECT_EQ(io.run(desk->withdraw("clock")), std::nullopt);
  EXPECT_EQ(num_told, 3) << "the second time there was nothing to take back";
  EXPECT_EQ(desk->decide(clock->spec(), "a"), Decision::ask);
  desk.reset();
  EXPECT_EQ(make()->decide(clock->spec(), "a"), Decision::ask);
  const auto log = tools::read_audit_log(folder.path() / "tools.log", {});
  ASSERT_EQ(log.records.size(), 2u);
  EXPECT_EQ(log.records[0].decision, "withdrawn");
  EXPECT_EQ(log.records[0].tool, "clock");
  EXPECT_EQ(log.records[0].source, "command");
  EXPECT_EQ(log.records[0].chat, "");
  EXPECT_EQ(log.records[1].chat, "a");
}

TEST_F(ToolDeskTest, FollowsTheRulesOfTheFileAsItIsNow) {
  auto desk = make();
  EXPECT_EQ(desk->decide(clock->spec(), "a"), Decision::ask);
  state = fakes::state_with({clock}, {{"clock", "", Decision::deny}});
  EXPECT_EQ(desk->decide(clock->spec(), "a"), Decision::deny);
}

TEST_F(ToolDeskTest, AFileThatCannotBeReadIsALineInTheLog) {
  std::ofstream(folder.path() / "approvals.json") << "{";
  auto desk = make();
  EXPECT_EQ(logged.size(), 1u);
  EXPECT_EQ(desk->decide(clock->spec(), "a"), Decision::ask);
}

TEST_F(ToolDeskTest, AToolHasSoManyPlaces) {
  auto desk = make();
  clock->spec_.max_parallel = 2;
  EXPECT_TRUE(desk->try_take_place(clock->spec()));
  EXPECT_TRUE(desk->try_take_place(clock->spec()));
  EXPECT_FALSE(desk->try_take_place(clock->spec()));
  desk->free_place(clock->spec());
  EXPECT_TRUE(desk->try_take_place(clock->spec()));
}

TEST_F(ToolDeskTest, TheLogIsReadWithAllThatWasRecordedSoFar) {
  auto desk = make();
  EXPECT_TRUE(io.run(desk->read_audit(std::nullopt, 10)).entries.empty());
  for (const char* tool : {"a", "b", "c"}) {
    tools::AuditRecord record;
    record.tool = tool;
    desk->record(record);
  }
  const auto page = io.run(desk->read_audit(std::nullopt, 2));
  ASSERT_EQ(page.entries.size(), 2u);
  EXPECT_EQ(page.entries[0].record.tool, "c");
  const auto rest = io.run(desk->read_audit(page.before, 2));
  ASSERT_EQ(rest.entries.size(), 1u);
  EXPECT_EQ(rest.entries[0].record.tool, "a");
}

TEST_F(ToolDeskTest, CallsAreLoggedInOrder) {
  auto desk = make();
  for (const char* tool : {"a", "b", "c"}) {
    tools::AuditRecord record;
    record.tool = tool;
    desk->record(record);
  }
  desk.reset();
  const auto log = tools::read_audit_log(folder.path() / "tools.log", {});
  ASSERT_EQ(log.records.size(), 3u);
  EXPECT_EQ(log.records[2].tool, "c");
}

}  // namespace
}  // namespace parley::orchestration::turn
