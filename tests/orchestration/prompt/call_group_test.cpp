#include "orchestration/prompt/call_group.h"

#include <gtest/gtest.h>

#include "tests/orchestration/prompt/chat_helper.h"

namespace parley::orchestration::prompt {
namespace {

using Results = std::vector<std::optional<std::size_t>>;

MessageCall call_of(std::string id) { return {std::move(id), "f", "{}"}; }

TEST(CallGroup, PutsResultsInTheOrderOfTheirCalls) {
  const std::vector<ChatMessage> chat = {user_says("u"), assistant_calls({call_of("a"), call_of("b")}),
                                         tool_says("2", "b"), tool_says("1", "a"), assistant_says("done")};
  const CallGroup group = find_call_group(chat, 1);
  EXPECT_EQ(group.results, (Results{3, 2}));
  EXPECT_TRUE(group.orphans.empty());
  EXPECT_EQ(group.end, 4u);
}

TEST(CallGroup, ResultsWithoutAnIdGoToTheFirstCallThatHasNone) {
  const std::vector<ChatMessage> chat = {assistant_calls({call_of("a"), call_of("b"), call_of("")}),
                                         tool_says("x"), tool_says("1", "a"), tool_says("y", "unknown")};
  EXPECT_EQ(find_call_group(chat, 0).results, (Results{2, 1, 3}));
}

TEST(CallGroup, KnowsMissingAndSurplusResults) {
  const std::vector<ChatMessage> missing = {assistant_calls({call_of("a"), call_of("b")}),
                                            tool_says("2", "b")};
  EXPECT_EQ(find_call_group(missing, 0).results, (Results{std::nullopt, 1}));
  const std::vector<ChatMessage> surplus = {assistant_calls({call_of("a")}), tool_says("1", "a"),
                                            tool_says("2", "a")};
  const CallGroup group = find_call_group(surplus, 0);
  EXPECT_EQ(group.results, (Results{1}));
  EXPECT_EQ(group.orphans, (std::vector<std::size_t>{2}));
}

TEST(CallGroup, EndsWithTheConversation) {
  const std::vector<ChatMessage> chat = {assistant_calls({call_of("a")})};
  EXPECT_EQ(find_call_group(chat, 0).end, 1u);
}

}  // namespace
}  // namespace parley::orchestration::prompt
