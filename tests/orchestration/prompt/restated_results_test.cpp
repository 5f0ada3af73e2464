#include "orchestration/prompt/restated_results.h"

#include <gtest/gtest.h>

#include "tests/orchestration/prompt/chat_helper.h"

namespace parley::orchestration::prompt {
namespace {

std::string text_of(const TextPieces& pieces) {
  std::string text;
  for (const TextPiece& piece : pieces) text += piece.bytes;
  return text;
}

TEST(RestatedResults, RepeatTheQuestion) {
  RestatedResults results;
  results.add(kParisCall, "18 degrees", 3);
  const TextPieces pieces = results.take("How warm is Paris?\n");
  EXPECT_EQ(text_of(pieces),
            "get_weather({\"city\": \"Paris\"}) returned: 18 degrees\n\nUsing only this, answer in a plain "
            "sentence: How warm is Paris? If a call failed, say so and do not guess.");
  for (const TextPiece& piece : pieces) EXPECT_EQ(piece.origin, 3u);
}

TEST(RestatedResults, StandOneBelowTheOther) {
  RestatedResults results;
  results.add(kParisCall, "18", 3);
  results.add({"", "now", ""}, "noon", 4);
  EXPECT_EQ(
      text_of(results.take("Tell me")),
      "get_weather({\"city\": \"Paris\"}) returned: 18\nnow({}) returned: noon\n\nUsing only this, answer "
      "in a plain sentence: Tell me. If a call failed, say so and do not guess.");
}

TEST(RestatedResults, AreNothingWithoutAResult) { EXPECT_TRUE(RestatedResults().take("Why?").empty()); }

}  // namespace
}  // namespace parley::orchestration::prompt
