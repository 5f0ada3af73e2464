#include "app/server/command_runner.h"

#include <gtest/gtest.h>

#include <exception>
#include <stdexcept>
#include <string>
#include <utility>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>

#include "app/protocol/write_frame.h"
#include "tests/fakes/fake_catalogue.h"
#include "tests/fakes/fake_hub.h"

namespace parley::app::server {
namespace {

namespace asio = boost::asio;
namespace turn = orchestration::turn;
using protocol::ClientFrame;

class CommandRunnerTest : public testing::Test {
 protected:
  CommandRunnerTest() {
    turn::ModelInfo info;
    info.name = "tiny";
    slot_ = turn::make_model_slot(info);
  }

  std::string run(ClientFrame frame) {
    CommandRunner runner(hub_, *slot_, tools_);
    std::exception_ptr failure;
    std::string text;
    auto ended = [&](const std::exception_ptr& error, const protocol::ServerFrame& answer) {
      failure = error;
      if (!error) text = protocol::write_frame(answer);
    };
    asio::co_spawn(io_, runner.run(std::move(frame)), ended);
    io_.restart();
    io_.run();
    if (failure) std::rethrow_exception(failure);
    return text;
  }

  asio::io_context io_;
  tests::fakes::FakeHub hub_{io_.get_executor()};
  std::shared_ptr<turn::ModelSlot> slot_;
  turn::ToolCatalogue* tools_ = nullptr;
};

TEST_F(CommandRunnerTest, PassesCommandsToTheHub) {
  protocol::SettingsCommand settings;
  settings.id = "r";
  settings.change.conversation = "c";
  settings.change.system_prompt = "be kind";
  const std::pair<ClientFrame, const char*> cases[] = {
      {protocol::CreateCommand{"r", "c", "T"}, "create c T"},
      {protocol::RenameCommand{"r", "c", "New"}, "rename c New"},
      {protocol::DeleteCommand{"r", "c"}, "delete c"},
      {protocol::UndeleteCommand{"r", "c"}, "undelete c"},
      {protocol::StopCommand{"r", "c"}, "stop c"},
      {protocol::ContinueCommand{"r", "c", "m"}, "continue c m"},
      {protocol::ForgetApprovalCommand{"r", "weather"}, "forget_approval weather"},
      {settings, "settings c be kind"}};
  for (const auto& [frame, noted] : cases) {
    EXPECT_EQ(run(frame), R"({"type":"ack","re":"r"})") << noted;
    EXPECT_EQ(hub_.commands.back(), noted);
    EXPECT_EQ(hub_.command_ids.back(), "r") << noted;
  }
}

TEST_F(CommandRunnerTest, AnswersSendAndRegenerateWithTheAnswersId) {
  EXPECT_EQ(run(protocol::SendCommand{"r", "c", "hi", std::nullopt}),
            R"({"type":"ack","re":"r","message":"answer-of-r"})");
  EXPECT_EQ(hub_.commands.back(), "send c hi");
  EXPECT_EQ(run(protocol::RegenerateCommand{"r", "c", "m"}),
            R"({"type":"ack","re":"r","message":"again-r"})");
  EXPECT_EQ(hub_.command_ids, (std::vector<std::string>{"r", "r"}));
}

TEST_F(CommandRunnerTest, ListsConversationsAndOlderMessages) {
  hub_.page.items.resize(1);
  hub_.page.items[0].id = "answering";
  hub_.page.more = true;
  hub_.messages.items.resize(2);
  const std::string list = run(protocol::ListCommand{"r", std::nullopt, 20});
  EXPECT_TRUE(list.starts_with(R"({"type":"conversations","re":"r","items":[{"conversation":"answering")"))
      << list;
  EXPECT_TRUE(list.ends_with(R"("answering":true}],"more":true})")) << list;
  EXPECT_EQ(hub_.commands.back(), "list - 20");
  const std::string older = run(protocol::OlderCommand{"r", "c", "m", 5});
  EXPECT_TRUE(older.starts_with(R"({"type":"messages","re":"r","conversation":"c","items":[{"message":)"))
      << older;
  EXPECT_EQ(hub_.commands.back(), "older c m 5");
  EXPECT_TRUE(hub_.command_ids.empty());
}

TEST_F(CommandRunnerTest, TellsTheModel) {
  const std::string models = run(protocol::ModelsCommand{"r"});
  EXPECT_TRUE(models.starts_with(R"({"type":"models","re":"r","items":[{"name":"tiny","state":"loading")"))
      << models;
}

TEST_F(CommandRunnerTest, PassesCommandsOnCalls) {
  protocol::DecideCommand decide;
  decide.id = "r";
  decide.decision = {"", "c", "m", "k", turn::CallDecision::always, "hash"};
  EXPECT_EQ(run(decide), R"({"type":"ack","re":"r"})");
  EXPECT_EQ(hub_.commands.back(), "decide c m k 2 hash");
  protocol::CancelCallCommand cancel;
  cancel.id = "s";
  cancel.call = {"", "c", "m", "k"};
  EXPECT_EQ(run(cancel), R"({"type":"ack","re":"s"})");
  EXPECT_EQ(hub_.commands.back(), "cancel_call c m k");
  EXPECT_EQ(hub_.command_ids, (std::vector<std::string>{"r", "s"}));
  hub_.output = {"m", 7, "text", 900};
  EXPECT_EQ(run(protocol::OutputCommand{"t", {"c", "m", "k", 5}}),
            R"({"type":"output","re":"t","offset":7,"text":"text","bytes":900})");
  EXPECT_EQ(hub_.commands.back(), "output c m k 5");
  hub_.refusal = turn::CommandError{turn::CommandError::Code::conflict, "Too late."};
  const std::string refusal = R"({"type":"error","re":"r","code":"conflict","message":"Too late."})";
  EXPECT_EQ(run(decide), refusal);
  EXPECT_EQ(run(protocol::OutputCommand{"r", {}}), refusal);
}

TEST_F(CommandRunnerTest, TellsTheTools) {
  EXPECT_EQ(
      run(protocol::ToolsCommand{"r"}),
      R"({"type":"tools","re":"r","items":[],"counted":false,"profile":"weak","approvals":[],"servers":[],)"
      R"("problems":[],"file":null,"off":null})");
  tests::fakes::FakeCatalogue catalogue(io_.get_executor());
  catalogue.tools.problems = {"No."};
  catalogue.tools.counted = true;
  tools_ = &catalogue;
  turn::ToolApproval& allowed = hub_.allowed.emplace_back();
  allowed.tool = "weather";
  allowed.source = "command";
  EXPECT_EQ(
      run(protocol::ToolsCommand{"r"}),
      R"({"type":"tools","re":"r","items":[],"counted":true,"profile":"weak","approvals":[{"tool":"weather",)"
      R"("source":"command","conversation":null,"since":null,"holds":true}],"servers":[],"problems":["No."],)"
      R"("file":null,"off":null})");
}

TEST_F(CommandRunnerTest, TellsTheLogOfCalls) {
  hub_.audit.before = 9;
  protocol::AuditCommand command;
  command.id = "r";
  command.request.limit = 50;
  EXPECT_EQ(run(command), R"({"type":"audit","re":"r","items":[],"before":9,"damaged":0})");
  EXPECT_EQ(hub_.commands.back(), "audit - 50");
  command.request.before = 9;
  run(command);
  EXPECT_EQ(hub_.commands.back(), "audit 9 50");
  hub_.refusal = turn::CommandError{turn::CommandError::Code::unavailable, "No."};
  EXPECT_EQ(run(command), R"({"type":"error","re":"r","code":"unavailable","message":"No."})");
}

TEST_F(CommandRunnerTest, PassesTheHubsRefusalsOn) {
  using Code = turn::CommandError::Code;
  const std::pair<Code, const char*> codes[] = {
      {Code::not_found, "not_found"}, {Code::busy, "busy"},         {Code::invalid, "invalid"},
      {Code::too_long, "too_long"},   {Code::conflict, "conflict"}, {Code::unavailable, "unavailable"}};
  for (const auto& [code, name] : codes) {
    hub_.refusal = turn::CommandError{code, "Because."};
    const std::string refusal =
        R"({"type":"error","re":"r","code":")" + std::string(name) + R"(","message":"Because."})";
    EXPECT_EQ(run(protocol::StopCommand{"r", "c"}), refusal);
    EXPECT_EQ(run(protocol::SendCommand{"r", "c", "hi", std::nullopt}), refusal);
    EXPECT_EQ(run(protocol::OlderCommand{"r", "c", "m", 5}), refusal);
  }
}

TEST_F(CommandRunnerTest, ThrowsWhatABrokenStoreThrows) {
  hub_.failure = "the disk is full";
  EXPECT_THROW(run(protocol::StopCommand{"r", "c"}), orchestration::sessions::StoreError);
}

TEST_F(CommandRunnerTest, LeavesTheSocketsCommandsToTheSocket) {
  EXPECT_THROW(run(protocol::OpenCommand{"r", "c", std::nullopt}), std::logic_error);
  EXPECT_THROW(run(protocol::CloseCommand{"r", "c"}), std::logic_error);
}

}  // namespace
}  // namespace parley::app::server
