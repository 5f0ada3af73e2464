// Decisions about calls, with a turn that runs and without; and what is read of calls.
#include "orchestration/turn/call_commands.h"

#include <gtest/gtest.h>

#include "orchestration/turn/running_turn.h"
#include "tests/orchestration/turn/core_fixture.h"
#include "tests/orchestration/turn/hub_fixture.h"

namespace parley::orchestration::turn {
namespace {

using sessions::CallState;

// A turn's calls: notes what it is told.
class NotingControl : public CallControl {
 public:
  std::string waiting;  // the call that waits for approval
  std::vector<std::string> told;

  bool decide(const std::string& call, CallDecision decision) override {
    if (call != waiting) return false;
    waiting.clear();
    told.push_back("decide " + call + " " + std::to_string(static_cast<int>(decision)));
    return true;
  }
  void cancel(const std::string& call) override { told.push_back("cancel " + call); }
};

const std::string kChat = test_uuid(1);

class CallCommands : public CoreTest {
 protected:
  CallCommands() {
    live_ = open(kChat);
    Message answer;
    answer.id = "a";
    answer.role = sessions::Role::assistant;
    answer.calls = {call("waits", CallState::awaiting_approval), call("done", CallState::done)};
    answer.calls[1].result = "cut";
    answer.calls[1].output = std::string(300'000, 'x') + "end";
    answer.calls[1].images = {{"image/png", "PNG"}};
    store().add_message(kChat, answer);
  }

  static sessions::ToolCall call(const std::string& id, CallState state) {
    sessions::ToolCall call;
    call.id = id;
    call.state = state;
    call.definition = "hash";
    return call;
  }
  // As a turn does.
  void run_turn() {
    live_->turn = std::make_shared<RunningTurn>(io_.executor());
    live_->calls = &control_;
    control_.waiting = "waits";
  }

  CommandResult<Done> decide(int id, const std::string& call, CallDecision decision = CallDecision::once,
                             const std::string& definition = "") {
    DecideCommand command;
    command.id = test_uuid(id);
    command.conversation = kChat;
    command.message = "a";
    command.call = call;
    command.decision = decision;
    command.definition = definition;
    return io_.run(decide_call(core_, command));
  }
  CommandResult<Done> cancel(int id, const std::string& call, const std::string& message = "a") {
    CancelCallCommand command;
    command.id = test_uuid(id);
    command.conversation = kChat;
    command.message = message;
    command.call = call;
    return io_.run(cancel_call(core_, command));
  }
  CommandResult<sessions::OutputPiece> read(const std::string& message, const std::string& call,
                                            std::size_t offset = 0) {
    OutputRequest request;
    request.conversation = kChat;
    request.message = message;
    request.call = call;
    request.offset = offset;
    return io_.run(read_call_output(core_, request));
  }

  NotingControl control_;
  LivePtr live_;
};

using List = std::vector<std::string>;

TEST_F(CallCommands, ADecisionGoesToTheTurnThatRuns) {
  run_turn();
  value_of(decide(50, "waits", CallDecision::chat));
  EXPECT_EQ(control_.told, (List{"decide waits 1"}));
  EXPECT_TRUE(store().find_command(test_uuid(50)));
}

TEST_F(CallCommands, ARepeatedDecisionIsAnsweredAndNotTakenAgain) {
  run_turn();
  value_of(decide(50, "waits"));
  control_.waiting = "waits";  // whatever came since
  value_of(decide(50, "waits"));
  EXPECT_EQ(control_.told.size(), 1u);
  EXPECT_EQ(error_of(decide(50, "waits", CallDecision::deny)).code, Code::conflict);
  EXPECT_EQ(control_.told.size(), 1u);
  value_of(decide(51, "waits", CallDecision::deny));
  EXPECT_EQ(control_.told.back(), "decide waits 3");
}

TEST_F(CallCommands, ADecisionAboutAnotherToolIsRefusedAndTheCallIsShownAnew) {
  run_turn();
  Cursor shown = live_->log.end();
  const CommandError error = error_of(decide(50, "waits", CallDecision::once, "an older hash"));
  EXPECT_EQ(error.code, Code::conflict);
  EXPECT_NE(error.message.find("has changed"), std::string::npos);
  EXPECT_TRUE(control_.told.empty());
  EXPECT_FALSE(store().find_command(test_uuid(50)));
  const auto events = live_->log.read(shown).value();
  ASSERT_EQ(events.size(), 1u);
  const auto& anew = std::get<CallChanged>(events[0]);
  EXPECT_EQ(anew.message, "a");
  EXPECT_EQ(anew.index, 0);
  EXPECT_EQ(anew.call.call.definition, "hash");
  EXPECT_EQ(error_of(decide(50, "waits", CallDecision::once, "an older hash")).code, Code::conflict)
      << "sent again it is no other";
  value_of(decide(51, "waits", CallDecision::once, "hash"));
  EXPECT_EQ(control_.told, (List{"decide waits 0"}));
}

TEST_F(CallCommands, WhateverWasShownCanBeDenied) {
  run_turn();
  value_of(decide(50, "waits", CallDecision::deny, "an older hash"));
  EXPECT_EQ(control_.told, (List{"decide waits 3"}));
}

TEST_F(CallCommands, ADecisionThatComesTooLateIsAConflictAndNotRemembered) {
  run_turn();
  EXPECT_EQ(error_of(decide(50, "done")).code, Code::conflict);
  EXPECT_FALSE(store().find_command(test_uuid(50)));
  control_.waiting.clear();
  EXPECT_EQ(error_of(decide(51, "waits")).code, Code::busy);  // another answer's turn
  EXPECT_EQ(error_of(decide(52, "unknown")).code, Code::not_found);
  EXPECT_TRUE(control_.told.empty());
}

TEST_F(CallCommands, MemoryKnowsBetterThanTheStore) {
  run_turn();
  control_.waiting.clear();
  live_->log.open_text("a", 0, "");
  live_->turn->answer.id = "a";
  live_->turn->answer.calls = {call("waits", CallState::running), call("new", CallState::running)};
  EXPECT_EQ(error_of(decide(50, "waits")).code, Code::conflict);
  value_of(cancel(51, "new"));
  EXPECT_EQ(control_.told, List{"cancel new"});
}

TEST_F(CallCommands, WithoutATurnOnlyCallsThatWaitCanBeDecided) {
  EXPECT_EQ(error_of(decide(50, "done")).code, Code::conflict);
  EXPECT_EQ(error_of(decide(51, "unknown")).code, Code::not_found);
  EXPECT_EQ(error_of(decide(52, "waits")).code, Code::conflict);
  core_->closing = true;
  EXPECT_EQ(error_of(decide(53, "waits")).code, Code::unavailable);
  for (int id = 50; id < 54; ++id) EXPECT_FALSE(store().find_command(test_uuid(id)));
}

TEST_F(CallCommands, ACancellationIsDoneOnceAndAlsoWhenThereIsNothingToCancel) {
  value_of(cancel(50, "done"));
  run_turn();
  value_of(cancel(51, "waits"));
  value_of(cancel(51, "waits"));
  value_of(cancel(50, "done"));
  EXPECT_EQ(control_.told, List{"cancel waits"});
  EXPECT_EQ(error_of(cancel(52, "unknown")).code, Code::not_found);
  EXPECT_EQ(error_of(cancel(53, "waits", "unknown")).code, Code::not_found);
  EXPECT_EQ(error_of(cancel(51, "done")).code, Code::conflict);
  EXPECT_EQ(control_.told.size(), 1u);
}

TEST_F(CallCommands, AFullDiskDoesNotKeepACallRunning) {
  run_turn();
  store_.fail_writes = true;
  EXPECT_THROW(cancel(50, "waits"), sessions::StoreError);
  EXPECT_EQ(control_.told, List{"cancel waits"});
}

TEST_F(CallCommands, IdsConversationsAndDeletionAreChecked) {
  CancelCallCommand cancel;
  cancel.id = "x";
  cancel.conversation = kChat;
  EXPECT_EQ(error_of(io_.run(cancel_call(core_, cancel))).code, Code::invalid);
  cancel.conversation = test_uuid(9);
  EXPECT_EQ(error_of(io_.run(cancel_call(core_, cancel))).code, Code::not_found);
  DecideCommand unknown;
  unknown.conversation = test_uuid(9);
  EXPECT_EQ(error_of(io_.run(decide_call(core_, unknown))).code, Code::not_found);
  run_turn();
  live_->record.deleted = true;
  EXPECT_EQ(error_of(decide(50, "waits")).code, Code::not_found);
  EXPECT_TRUE(control_.told.empty());
}

TEST_F(CallCommands, OutputsComeInPieces) {
  const auto first = value_of(read("a", "done"));
  EXPECT_EQ(first.text.size(), 262'144u);
  EXPECT_EQ(first.bytes, 300'003u);
  const auto rest = value_of(read("a", "done", 262'144));
  EXPECT_EQ(first.text + rest.text, std::string(300'000, 'x') + "end");
  EXPECT_EQ(value_of(read("a", "done", 400'000)).text, "");
  EXPECT_EQ(error_of(read("a", "unknown")).code, Code::not_found);
  EXPECT_EQ(error_of(read("b", "done")).code, Code::not_found);
}

TEST_F(CallCommands, ImagesAreReadByCallAndNumber) {
  EXPECT_EQ(io_.run(read_call_image(core_, "done", 0))->bytes, "PNG");
  EXPECT_FALSE(io_.run(read_call_image(core_, "done", 1)));
  core_->closed = true;
  EXPECT_FALSE(io_.run(read_call_image(core_, "done", 0)));
  EXPECT_EQ(error_of(read("a", "done")).code, Code::unavailable);
}

}  // namespace
}  // namespace parley::orchestration::turn
