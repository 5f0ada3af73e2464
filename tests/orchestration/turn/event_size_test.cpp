#include "orchestration/turn/event_size.h"

#include <gtest/gtest.h>

#include "orchestration/turn/subscription.h"

namespace parley::orchestration::turn {
namespace {

constexpr std::size_t kBig = std::size_t{3} << 20;

// Each text of a call that a program or a model can make long.
std::vector<sessions::ToolCall> long_calls() {
  const std::string text(kBig, 'x');
  std::vector<sessions::ToolCall> calls(5);
  calls[0].arguments = text;
  calls[1].result = text;
  calls[2].preview.input = text;
  calls[3].preview.words = {"program", text};
  calls[4].name = text;
  return calls;
}

TEST(EventSize, CountsEveryLongTextOfACall) {
  for (const sessions::ToolCall& call : long_calls()) {
    CallView view;
    view.call = call;
    EXPECT_GE(bytes_of(view), kBig);
    EXPECT_LT(bytes_of(view), kBig + 200);
    MessageView message;
    message.text = "text";
    message.calls = {call, call};
    EXPECT_GE(bytes_of(message), 2 * kBig + 4);
  }
}

TEST(EventSize, CountsManySmallWords) {
  CallView view;
  view.call.preview.words.resize(100'000);
  EXPECT_GE(bytes_of(view), 1'000'000u);
}

TEST(EventSize, CountsProgressAndNothingThatStaysBehind) {
  CallView view;
  view.progress.message = std::string(5'000, 'p');
  view.call.output = std::string(kBig, 'o');
  EXPECT_GE(bytes_of(view), 5'000u);
  EXPECT_LT(bytes_of(view), 6'000u);
}

TEST(EventSize, ASnapshotIsBoundedByTheSame) {
  for (const sessions::ToolCall& call : long_calls()) {
    sessions::MessagePage page;
    page.items.resize(2);
    for (MessageView& message : page.items) message.calls = {call};
    make_presentable(page);
    EXPECT_EQ(page.items.size(), 1u) << "two have 6 MiB, and a frame carries four";
    EXPECT_TRUE(page.more);
  }
}

}  // namespace
}  // namespace parley::orchestration::turn
