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
    return std::make_unique<ToolDesk>(io.executor(), std::move(parts));
  }
  tests::fakes::TempDirectory folder;
  IoDriver io;
  std::shared_ptr<fakes::ScriptedTool> clock = std::make_shared<fakes::ScriptedTool>("clock", "zone");
  std::shared_ptr<const tools::RegistryState> state = fakes::state_with({clock});
  std::vector<std::string> logged;
};

TEST_F(ToolDeskTest, AsksUnlessSomebodyAllowed) {
  auto desk = make();
  EXPECT_EQ(desk->decide(clock->spec(), "a"), Decision::ask);
  desk->approve(clock->spec(), "a", ApprovalScope::chat);
  EXPECT_EQ(desk->decide(clock->spec(), "a"), Decision::automatic);
  EXPECT_EQ(desk->decide(clock->spec(), "b"), Decision::ask);
}

TEST_F(ToolDeskTest, AlwaysOutlivesTheProcessAndNotTheDefinition) {
  make()->approve(clock->spec(), "a", ApprovalScope::always);  // its end waits for the file
  auto desk = make();
  EXPECT_EQ(desk->decide(clock->spec(), "b"), Decision::automatic);
  tools::ToolSpec changed = clock->spec();
  changed.definition_hash = "another";
  EXPECT_EQ(desk->decide(changed, "b"), Decision::ask);
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
