#include "orchestration/turn/approval_commands.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "orchestration/tools/approvals_file.h"
#include "tests/orchestration/turn/core_fixture.h"
#include "tests/orchestration/turn/tool_turn_fixture.h"

namespace parley::orchestration::turn {
namespace {

using tools::ApprovalScope;

class ApprovalCommands : public CoreTest {
 protected:
  ApprovalCommands() { make_desk(folder_.path() / "approvals.json"); }

  void make_desk(const std::filesystem::path& approvals_file) {
    ToolDeskParts parts;
    parts.current = [this] { return state_; };
    parts.approvals_file = approvals_file;
    parts.audit_file = folder_.path() / "tools.log";
    desk_ = std::make_unique<ToolDesk>(io_.executor(), std::move(parts));
    options_.tools = desk_.get();
    make_core();
  }
  static ForgetApprovalCommand command(int id, const std::string& tool) {
    ForgetApprovalCommand command;
    command.id = test_uuid(id);
    command.tool = tool;
    return command;
  }
  CommandResult<Done> forget(int id, const std::string& tool = "clock") {
    return io_.run(forget_approval(core_, command(id, tool)));
  }
  void allow(const std::string& chat, ApprovalScope scope) { desk_->approve(clock_->spec(), chat, scope); }
  bool asks(const std::string& chat) { return desk_->decide(clock_->spec(), chat) == Decision::ask; }

  tests::fakes::TempDirectory folder_;
  std::shared_ptr<fakes::ScriptedTool> clock_ = std::make_shared<fakes::ScriptedTool>("clock", "zone");
  std::shared_ptr<const tools::RegistryState> state_ = fakes::state_with({clock_});
  std::unique_ptr<ToolDesk> desk_;
};

TEST_F(ApprovalCommands, TakeBackWhatWasAllowedForGood) {
  allow("a", ApprovalScope::always);
  allow("b", ApprovalScope::chat);
  value_of(forget(1));
  EXPECT_TRUE(asks("a") && asks("b"));
  EXPECT_TRUE(tools::load_approvals(folder_.path() / "approvals.json").always.empty());
  value_of(forget(2, "clock"));
  value_of(forget(3, "no such tool"));
}

TEST_F(ApprovalCommands, AreAppliedOnce) {
  value_of(forget(1));
  allow("a", ApprovalScope::always);
  value_of(forget(1));
  EXPECT_FALSE(asks("a")) << "it was allowed after the command";
  EXPECT_EQ(error_of(forget(1, "other")).code, Code::conflict);
}

TEST_F(ApprovalCommands, OfTwoSocketsAtOnceAreBothAcknowledged) {
  allow("a", ApprovalScope::always);
  std::vector<bool> done;
  for (int i = 0; i < 2; ++i) {
    boost::asio::co_spawn(io_.io(), forget_approval(core_, command(1, "clock")),
                          [&](const std::exception_ptr& failure, const CommandResult<Done>& result) {
                            done.push_back(!failure && std::holds_alternative<Done>(result));
                          });
  }
  io_.run_until([&] { return done.size() == 2; });
  EXPECT_EQ(done, (std::vector<bool>{true, true}));
  EXPECT_TRUE(asks("a"));
}

TEST_F(ApprovalCommands, SayWhatCouldNotBeWrittenDownAndCanBeTriedAgain) {
  const auto folder = folder_.path() / "away";
  make_desk(folder / "approvals.json");
  std::filesystem::create_directory(folder);
  allow("a", ApprovalScope::always);
  desk_.reset();  // waits for the file
  make_desk(folder / "approvals.json");
  std::filesystem::rename(folder, folder_.path() / "elsewhere");
  const CommandError refusal = error_of(forget(1));
  EXPECT_EQ(refusal.code, Code::unavailable);
  EXPECT_NE(refusal.message.find("approvals.json cannot be written"), std::string::npos) << refusal.message;
  EXPECT_TRUE(asks("a"));
  std::filesystem::rename(folder_.path() / "elsewhere", folder);
  EXPECT_EQ(tools::load_approvals(folder / "approvals.json").always.size(), 1u);
  value_of(forget(1));
  EXPECT_TRUE(tools::load_approvals(folder / "approvals.json").always.empty());
}

TEST_F(ApprovalCommands, FindNothingWhereThereAreNoTools) {
  options_.tools = nullptr;
  make_core();
  value_of(forget(1));
}

using ApprovalsInTurns = ToolTurnTest;

TEST_F(ApprovalsInTurns, WhatWasTakenBackIsAskedForTheNextTime) {
  rounds({{{"clock", R"({"zone":"UTC"})", ""}}});
  const auto id = create();
  FollowingClient client(io_, *hub_, id);
  send(id, 10);
  io_.run_until([&] { return has_call_in(client, CallState::awaiting_approval); });
  value_of(decide(client, CallDecision::always));
  wait_for_end(id);
  ASSERT_EQ(hub_->approvals().size(), 1u);
  EXPECT_EQ(hub_->approvals()[0].tool, "clock");
  value_of(io_.run(hub_->forget_approval({test_uuid(70), "clock"})));
  EXPECT_TRUE(hub_->approvals().empty());
  round_ = 0;
  send(id, 11);
  io_.run_until([&] {
    const auto& calls = client.view().last().calls;
    return !calls.empty() && calls[0].state == CallState::awaiting_approval;
  });
  EXPECT_EQ(clock_->runs, 1);
}

}  // namespace
}  // namespace parley::orchestration::turn
