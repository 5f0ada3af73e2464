#include "orchestration/turn/live_conversation.h"

#include <gtest/gtest.h>

#include <boost/asio/io_context.hpp>

#include "orchestration/turn/running_turn.h"

namespace parley::orchestration::turn {
namespace {

using sessions::MessageStatus;
using sessions::ToolCall;

ToolCall bulky_call() {
  ToolCall call;
  call.id = "1";
  call.arguments = "{}";
  call.result = "cut";
  call.output = "whole";
  call.images = {{"image/png", "PNG"}};
  return call;
}

TEST(WithoutBulk, LeavesOutIdsOutputsAndBytesOfImages) {
  MessageView message;
  message.text = "text";
  message.token_ids = {1};
  message.calls = {bulky_call()};
  const MessageView view = without_bulk(message);
  EXPECT_EQ(view.text, "text");
  EXPECT_TRUE(view.token_ids.empty());
  EXPECT_EQ(view.calls.at(0).result, "cut");
  EXPECT_EQ(view.calls.at(0).output, "");
  EXPECT_EQ(view.calls.at(0).output_bytes, 5u);
  EXPECT_EQ(view.calls.at(0).images.at(0).media_type, "image/png");
  EXPECT_EQ(view.calls.at(0).images.at(0).bytes, "");
  EXPECT_EQ(without_text(message).text, "");
}

TEST(WithoutBulk, KeepsTheLengthOfAnOutputThatWasLeftOutBefore) {
  ToolCall read = bulky_call();
  read.output.clear();
  read.output_bytes = 500;
  EXPECT_EQ(without_bulk(read).output_bytes, 500u);
}

class Overlay : public testing::Test {
 protected:
  Overlay() : live_(sessions::Conversation(), 0, EventLog::Limits(), io_.get_executor()) {}

  void begin_answer() {
    live_.turn = std::make_shared<RunningTurn>(io_.get_executor());
    live_.turn->answer.id = "a";
    live_.turn->answer.status = MessageStatus::streaming;
    live_.log.open_text("a", 0, "");
    MessageAdded added;
    added.message = live_.turn->answer;
    live_.log.add(added);
    live_.log.grow("text");
  }
  sessions::Message shown(const std::string& id = "a") {
    sessions::Message message;
    message.id = id;
    message.text = "stored";
    live_.overlay(message);
    return message;
  }

  boost::asio::io_context io_;
  LiveConversation live_;
};

TEST_F(Overlay, ShowsTheArgumentsSoFar) {
  begin_answer();
  live_.turn->answer.calls = {bulky_call(), ToolCall()};
  live_.log.open_arguments(1);
  live_.log.grow_arguments("{\"ci");
  EXPECT_EQ(shown().text, "text");
  EXPECT_EQ(shown().calls.at(0).arguments, "{}");
  EXPECT_EQ(shown().calls.at(1).arguments, "{\"ci");
  live_.turn->answer.calls[1].arguments = "{\"city\":1}";
  live_.log.close_arguments();
  EXPECT_EQ(shown().calls.at(1).arguments, "{\"city\":1}");
  EXPECT_EQ(shown("other").text, "stored");
}

TEST_F(Overlay, AnAnswerWithoutCallsHasNone) {
  begin_answer();
  EXPECT_TRUE(shown().calls.empty());
  live_.log.open_arguments(0);  // its call is not there yet
  EXPECT_TRUE(shown().calls.empty());
}

TEST_F(Overlay, AnAnswerThatCouldNotBeSavedIsFailed) {
  begin_answer();
  live_.unsaved = UnsavedAnswer{live_.turn->answer, "The disk is full."};
  live_.turn.reset();
  EXPECT_EQ(shown().status, MessageStatus::failed);
  EXPECT_EQ(shown().error, "The disk is full.");
}

}  // namespace
}  // namespace parley::orchestration::turn
