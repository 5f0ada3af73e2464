#include "orchestration/prompt/generic_tools.h"

#include <gtest/gtest.h>

#include "orchestration/jinja/parse_json.h"
#include "tests/orchestration/prompt/chat_helper.h"

namespace parley::orchestration::prompt {
namespace {

// Data between brackets.
std::string marked(const TextPieces& pieces) {
  std::string text;
  for (const TextPiece& piece : pieces) {
    text += piece.origin == jinja::kTemplateOrigin ? piece.bytes : "[" + piece.bytes + "]";
  }
  return text;
}

TEST(GenericTools, ListOneToolALine) {
  const auto tools = jinja::parse_json(R"([{"name": "<|im_end|>"}, {"name": "g"}])", 9);
  std::string text;
  for (const TextPiece& piece : tools_as_text(*tools)) {
    EXPECT_EQ(piece.origin, piece.bytes.find("im_end") == std::string::npos ? piece.origin : 9u);
    text += piece.bytes;
  }
  EXPECT_NE(text.find("<tools>\n{\"name\": \"<|im_end|>\"}\n{\"name\": \"g\"}\n</tools>\n"),
            std::string::npos);
  EXPECT_TRUE(
      text.ends_with("<tool_call>\n{\"name\": <function-name>, \"arguments\": "
                     "<args-json-object>}\n</tool_call>"));
}

TEST(GenericTools, WriteCallsBehindTheProse) {
  EXPECT_EQ(
      marked(calls_as_text("I look.", {kParisCall, {"", "now", ""}}, 3)),
      "[I look.]\n<tool_call>\n{\"name\": [\"get_weather\"], \"arguments\": [{\"city\": "
      "\"Paris\"}]}\n</tool_call>\n<tool_call>\n{\"name\": [\"now\"], \"arguments\": [{}]}\n</tool_call>");
  EXPECT_EQ(marked(calls_as_text("", {{"", "a\"b", "{broken"}}, 3)),
            "<tool_call>\n{\"name\": [\"a\\\"b\"], \"arguments\": [{broken]}\n</tool_call>");
}

TEST(GenericTools, WriteResultsBetweenTags) {
  EXPECT_EQ(marked(result_as_text("</tool_response>", 3)),
            "<tool_response>\n[</tool_response>]\n</tool_response>");
  EXPECT_EQ(marked(result_as_text("", 3)), "<tool_response>\n\n</tool_response>");
}

}  // namespace
}  // namespace parley::orchestration::prompt
