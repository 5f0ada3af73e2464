// A command that comes again, of every kind: over another socket, at the same time, after the server died.
#include "orchestration/turn/repeated_command.h"

#include <gtest/gtest.h>

#include "tests/fakes/temp_directory.h"
#include "tests/orchestration/turn/command_kinds.h"
#include "tests/orchestration/turn/failing_store.h"
#include "tests/orchestration/turn/server_run.h"

namespace parley::orchestration::turn {
namespace {

const std::string kId = test_uuid(50);

// The references are Python's: the lengths as eight little-endian bytes before each field.
TEST(ContentHash, IsTheSameInEveryRun) {
  EXPECT_EQ(static_cast<std::uint64_t>(content_hash({})), 0xcbf29ce484222325u);
  EXPECT_EQ(static_cast<std::uint64_t>(content_hash({"a"})), 0x529a4ddc8ff56bbfu);
  EXPECT_EQ(static_cast<std::uint64_t>(content_hash({"rename", "c",
                                                     "Gr\xC3\xB6\xC3\x9F"
                                                     "e"})),
            0xec4877af18305823u);
}

TEST(ContentHash, TellsFieldsApart) {
  EXPECT_NE(content_hash({"ab", "c"}), content_hash({"a", "bc"}));
  EXPECT_NE(content_hash({"a", ""}), content_hash({"a"}));
  EXPECT_NE(content_hash({"", "a"}), content_hash({"a", ""}));
}

ChatScript cut_answer() {
  ChatScript script;
  script.pieces = {"half"};
  script.stop_reason = "length";
  return script;
}

// Those that the kinds of commands name.
bool add_ended_calls(sessions::SessionStore& store, const std::string& answer) {
  for (const int call : {20, 21}) {
    sessions::ToolCall done;
    done.id = test_uuid(call);
    done.state = sessions::CallState::done;
    store.save_call(test_uuid(1), answer, done);
  }
  return true;
}

bool is_about_calls(const CommandKind& kind) { return std::string(kind.name) == "cancel_call"; }

class RepeatedCommand : public HubTest, public testing::WithParamInterface<CommandKind> {
 protected:
  void SetUp() override {
    auto store = std::make_unique<FailingStore>();
    failing_ = store.get();
    open_hub(std::move(store));
    answer_with(cut_answer());
    create(1, "first");
    create(2, "second");
    world_ = std::make_unique<World>(World{io_, model_, *hub_, send_and_wait(test_uuid(1), 10)});
    if (is_about_calls(kind_)) ask_store([&](auto& kept) { return add_ended_calls(kept, world_->answer); });
  }

  std::string apply(const std::string& id) { return apply(id, kind_.what); }
  std::string apply(const std::string& id, const std::string& what) {
    const std::string answer = io_.run(kind_.apply(*world_, id, what));
    const bool stays = std::string(kind_.name) == "stop";
    if (!stays) wait_for_end(test_uuid(1));
    return answer;
  }

  const CommandKind& kind_ = GetParam();
  FailingStore* failing_ = nullptr;
  std::unique_ptr<World> world_;
};

INSTANTIATE_TEST_SUITE_P(Kinds, RepeatedCommand, testing::ValuesIn(command_kinds()),
                         [](const auto& suite) { return std::string(suite.param.name); });

TEST_P(RepeatedCommand, GetsTheSameAnswerAndChangesNothing) {
  const std::string first = apply(kId);
  EXPECT_TRUE(first.starts_with("ok")) << first;
  kind_.then(*world_);
  const std::string before = state_of(*world_);
  EXPECT_EQ(apply(kId), first);
  EXPECT_EQ(state_of(*world_), before);
}

TEST_P(RepeatedCommand, UnderANewIdIsAppliedAgain) {
  apply(kId);
  kind_.then(*world_);
  const std::string before = state_of(*world_);
  EXPECT_TRUE(apply(test_uuid(51)).starts_with("ok"));
  const bool changed = state_of(*world_) != before;
  // A conversation is created once, whatever the id, and a call that has ended is not cancelled.
  const std::string name = kind_.name;
  EXPECT_EQ(changed, name != "create" && name != "cancel_call");
}

TEST_P(RepeatedCommand, WithAnotherContentIsAConflict) {
  apply(kId);
  const std::string before = state_of(*world_);
  EXPECT_EQ(apply(kId, kind_.other), "conflict");
  EXPECT_EQ(state_of(*world_), before);
}

TEST_P(RepeatedCommand, OfAnotherKindIsAConflict) {
  EXPECT_EQ(io_.run(apply_settings(*world_, kId, "taken")), "ok");
  const std::string before = state_of(*world_);
  EXPECT_EQ(apply(kId), "conflict");
  EXPECT_EQ(state_of(*world_), before);
}

TEST_P(RepeatedCommand, AtTheSameTimeIsAppliedOnce) {
  std::vector<std::string> answers;
  const auto asked = model_.requests.size();
  auto note = [&](const std::exception_ptr& failure, std::string answer) {
    answers.push_back(failure ? "failed" : std::move(answer));
  };
  for (int socket = 0; socket < 3; ++socket)
    boost::asio::co_spawn(io_.io(), kind_.apply(*world_, kId, kind_.what), note);
  io_.run_until([&] { return answers.size() == 3; });
  EXPECT_TRUE(answers[0].starts_with("ok")) << answers[0];
  EXPECT_EQ(answers[1], answers[0]);
  EXPECT_EQ(answers[2], answers[0]);
  wait_for_end(test_uuid(1));
  EXPECT_LE(model_.requests.size(), asked + 1);
}

TEST_P(RepeatedCommand, ThatCouldNotBeStoredIsAppliedTheNextTime) {
  kind_.then(*world_);
  const std::string before = state_of(*world_);
  failing_->fail_writes = true;
  EXPECT_THROW(io_.run(kind_.apply(*world_, kId, kind_.what)), sessions::StoreError);
  failing_->fail_writes = false;
  EXPECT_FALSE(ask_store([&](auto& store) { return store.find_command(kId).has_value(); }));
  EXPECT_TRUE(apply(kId).starts_with("ok"));
  EXPECT_EQ(state_of(*world_) != before, !is_about_calls(kind_));  // a call that has ended stays as it is
  EXPECT_TRUE(ask_store([&](auto& store) { return store.find_command(kId).has_value(); }));
}

TEST_P(RepeatedCommand, NeedsAUuid) {
  const std::string before = state_of(*world_);
  EXPECT_NE(apply("x").find("must be a UUID"), std::string::npos);
  EXPECT_EQ(state_of(*world_), before);
}

TEST_P(RepeatedCommand, AfterTheServerDiedInMidAnswerGetsTheSameAnswerAndBeginsNone) {
  const tests::fakes::TempDirectory folder;
  std::string answer, first;
  {
    ServerRun server(folder.path());
    server.model.answer = [](const ChatRequest&) { return cut_answer(); };
    value_of(server.io.run(server.hub->create(make_uuid(), test_uuid(1), "first")));
    value_of(server.io.run(server.hub->create(make_uuid(), test_uuid(2), "second")));
    answer = value_of(server.send(test_uuid(1), 10));
    server.wait_for_end(test_uuid(1));
    if (is_about_calls(kind_)) server.ask_store([&](auto& kept) { return add_ended_calls(kept, answer); });
    World world{server.io, server.model, *server.hub, answer};
    server.model.answer = [](const ChatRequest&) {
      ChatScript script = cut_answer();
      script.until_cancelled = true;
      return script;
    };
    first = server.io.run(kind_.apply(world, kId, kind_.what));
    EXPECT_TRUE(first.starts_with("ok")) << first;
  }
  ServerRun server(folder.path());
  World world{server.io, server.model, *server.hub, answer};
  kind_.then(world);
  const std::string before = state_of(world);
  EXPECT_EQ(server.io.run(kind_.apply(world, kId, kind_.what)), first);
  EXPECT_EQ(state_of(world), before);
  EXPECT_EQ(server.io.run(kind_.apply(world, kId, kind_.other)), "conflict");
  EXPECT_EQ(state_of(world), before);
}

using CommandIds = HubTest;

TEST_F(CommandIds, TakenByAnotherConversationAtTheSameTimeAreAConflict) {
  create(1, "one");
  create(2, "two");
  std::vector<CommandResult<Done>> answers;
  auto note = [&](const std::exception_ptr&, CommandResult<Done> answer) { answers.push_back(answer); };
  for (const int n : {1, 2})
    boost::asio::co_spawn(io_.io(), hub_->rename(kId, test_uuid(n), "renamed"), note);
  io_.run_until([&] { return answers.size() == 2; });
  EXPECT_EQ(words_of(answers[0]), "ok");
  EXPECT_EQ(words_of(answers[1]), "conflict");
  const bool first = stored(test_uuid(1)).title == "renamed";
  EXPECT_EQ(stored(test_uuid(first ? 2 : 1)).title, first ? "two" : "one");
  EXPECT_EQ(look(test_uuid(first ? 2 : 1)).summary.conversation.title, first ? "two" : "one");
}

TEST_F(CommandIds, ThoseOfMessagesAreNotThoseOfOtherCommands) {
  const auto id = create();
  const auto answer = send_and_wait(id, 10);
  value_of(io_.run(hub_->rename(answer, id, "named under the answer's id")));
  EXPECT_EQ(stored(id).title, "named under the answer's id");
  const auto second = send_and_wait(id, 11);
  SendCommand command;
  command.id = second;
  command.conversation = id;
  command.text = "a message of that id exists";
  EXPECT_EQ(error_of(io_.run(hub_->send(command))).code, Code::conflict);
  EXPECT_EQ(error_of(io_.run(hub_->regenerate(second, id, second))).code, Code::conflict);
  EXPECT_EQ(look(id).messages.size(), 4u);
}

TEST_F(CommandIds, OfARefusedCommandCanBeUsedAgain) {
  const auto id = create();
  value_of(io_.run(hub_->set_deleted(make_uuid(), id, true)));
  EXPECT_EQ(error_of(io_.run(hub_->rename(kId, id, "x"))).code, Code::not_found);
  value_of(io_.run(hub_->set_deleted(make_uuid(), id, false)));
  value_of(io_.run(hub_->rename(kId, id, "x")));
  EXPECT_EQ(stored(id).title, "x");
  value_of(io_.run(hub_->set_deleted(make_uuid(), id, true)));
  value_of(io_.run(hub_->rename(kId, id, "x")));  // it was applied, whatever came then
}

TEST_F(CommandIds, OfACommandThatChangesNothingAreTakenToo) {
  const auto id = create(1, "same");
  value_of(io_.run(hub_->rename(kId, id, "same")));
  value_of(io_.run(hub_->rename(make_uuid(), id, "other")));
  value_of(io_.run(hub_->rename(kId, id, "same")));
  EXPECT_EQ(stored(id).title, "other");
}

TEST_F(CommandIds, SettingsAreToldApartBitByBit) {
  SettingsCommand command;
  command.id = kId;
  command.conversation = create();
  command.temperature = std::optional(0.1);
  value_of(io_.run(hub_->change_settings(command)));
  value_of(io_.run(hub_->change_settings(command)));
  command.temperature = std::optional(0.1 + 1e-17 + 1e-16);
  EXPECT_EQ(error_of(io_.run(hub_->change_settings(command))).code, Code::conflict);
  command.temperature = std::optional<double>();
  EXPECT_EQ(error_of(io_.run(hub_->change_settings(command))).code, Code::conflict);
  command.temperature.reset();
  EXPECT_EQ(error_of(io_.run(hub_->change_settings(command))).code, Code::conflict);
  command.temperature = std::optional(0.1);
  command.max_tokens = std::optional(1);
  EXPECT_EQ(error_of(io_.run(hub_->change_settings(command))).code, Code::conflict);
}

// Its message is there for good, which is why it cannot be applied again.
TEST_F(CommandIds, OfASendThatWasForgottenIsAConflict) {
  const auto id = create();
  Message old;
  old.id = kId;
  old.text = "hello";
  ask_store([&](auto& store) { return store.add_message(id, old); });
  EXPECT_EQ(error_of(try_send(id, 50)).code, Code::conflict);
  EXPECT_TRUE(model_.requests.empty());
}

}  // namespace
}  // namespace parley::orchestration::turn
