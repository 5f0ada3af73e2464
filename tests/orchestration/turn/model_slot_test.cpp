#include "orchestration/turn/model_slot.h"

#include <gtest/gtest.h>

#include "tests/fakes/scripted_chat_model.h"
#include "tests/orchestration/turn/io_driver.h"

namespace parley::orchestration::turn {
namespace {

class ModelSlotTest : public testing::Test {
 protected:
  ModelSlotTest() {
    ModelInfo info;
    info.name = "qwen";
    slot_ = make_model_slot(info);
  }

  ChatRejection refused() { return std::get<ChatRejection>(io_.run(slot_->start_chat(ChatRequest()))); }

  IoDriver io_;
  std::shared_ptr<ModelSlot> slot_;
};

TEST_F(ModelSlotTest, SaysHowFarLoadingIs) {
  EXPECT_EQ(slot_->state(), ModelSlot::State::loading);
  EXPECT_EQ(slot_->info().name, "qwen");
  slot_->set_progress(0.42);
  EXPECT_EQ(slot_->progress(), 0.42);
  EXPECT_EQ(refused().kind, ChatRejection::Kind::model_loading);
  EXPECT_NE(refused().message.find("qwen is still being loaded (42 %)"), std::string::npos);
  const auto completion = io_.run(slot_->start_completion(CompletionRequest()));
  EXPECT_EQ(std::get<ChatRejection>(completion).kind, ChatRejection::Kind::model_loading);
  slot_->set_progress(7);
  EXPECT_EQ(slot_->progress(), 1.0);
}

TEST_F(ModelSlotTest, SaysWhyLoadingFailed) {
  slot_->set_failed("The file is truncated.");
  EXPECT_EQ(slot_->state(), ModelSlot::State::failed);
  EXPECT_EQ(slot_->failure(), "The file is truncated.");
  EXPECT_EQ(refused().kind, ChatRejection::Kind::model_failed);
  EXPECT_NE(refused().message.find("The file is truncated."), std::string::npos);
}

TEST_F(ModelSlotTest, PassesRequestsOnWhenReady) {
  auto model = std::make_shared<fakes::ScriptedChatModel>(io_.executor());
  model->answer = [](const ChatRequest&) { return fakes::ChatScript(); };
  slot_->set_ready(model);
  EXPECT_EQ(slot_->state(), ModelSlot::State::ready);
  EXPECT_EQ(slot_->progress(), 1.0);
  EXPECT_EQ(slot_->info().name, "scripted");
  const auto started = io_.run(slot_->start_chat(ChatRequest()));
  EXPECT_TRUE(std::holds_alternative<std::unique_ptr<ChatStream>>(started));
}

}  // namespace
}  // namespace parley::orchestration::turn
