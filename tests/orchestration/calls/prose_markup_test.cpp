#include "orchestration/calls/prose_markup.h"

#include <gtest/gtest.h>

#include "tests/orchestration/calls/parse_helper.h"

namespace parley::orchestration::calls {
namespace {

// Split at each place, and byte by byte, none of which may make a difference.
std::string said_however_split(const ParseCase& c, const std::string& text) {
  const std::string whole = parse(c, text);
  EXPECT_EQ(parse_bytewise(c, text), whole);
  for (std::size_t at = 1; at < text.size(); ++at) {
    const std::string_view pieces(text);
    EXPECT_EQ(parse_pieces(c, {pieces.substr(0, at), pieces.substr(at)}), whole) << at;
  }
  return whole;
}

constexpr const char* kAboutMarkers[] = {
    "answer = text.split(\"</think>\")[-1]",
    "Cut at `</think>`:\n```python\nprint(text.split(\"</think>\", 1))\n```\nThat is all.",
    "```python\n</think>\n```",
    "The tags are <think> and </think>.",
    "It ends with '</think>'",
    "A line of its own:\n</think>\n\nand on.",
    "Yes.</think>",
    "`</think>` ends it",
    "</thin",
    "a</think",
};

TEST(ProseMarkup, LeavesSpelledMarkersOfReasoningInProseAndCode) {
  for (const char* format : {"hermes", "qwen3-coder", "llama-3", "granite-3"}) {
    for (const CallDetection detection :
         {CallDetection::native, CallDetection::lenient, CallDetection::off}) {
      for (const char* text : kAboutMarkers) {
        EXPECT_EQ(said_however_split({.format = format, .detection = detection}, text),
                  "content: " + std::string(text))
            << format;
      }
    }
  }
}

TEST(ProseMarkup, LeavesThemBehindReasoningToo) {
  EXPECT_EQ(said_however_split({}, "<think>Hm.</think>\nUse split(\"</think>\")."),
            "reasoning: Hm.\ncontent: Use split(\"</think>\").");
  EXPECT_EQ(said_however_split({.reasoning = ReasoningStart::opened}, "Hm.</think>Use split(\"</think>\")."),
            "reasoning: Hm.\ncontent: Use split(\"</think>\").");
}

TEST(ProseMarkup, TakesAClosingMarkerThatStandsBeforeAllProse) {
  for (const ReasoningStart start : {ReasoningStart::model_opens, ReasoningStart::closed}) {
    EXPECT_EQ(said_however_split({.reasoning = start}, "</think>\n\nUse split(\"</think>\")."),
              "content: Use split(\"</think>\").");
  }
  const std::string call = "<tool_call>\n{\"name\": \"now\", \"arguments\": {}}\n</tool_call>";
  EXPECT_EQ(said_however_split({}, call + "\n</think>\nDone."),
            "call 0 now\narguments 0: {}\nend 0 ok\ncontent: Done.");
}

TEST(ProseMarkup, TakesOtherMarkupAroundTheProseOnly) {
  const ParseCase granite{.format = "granite-3"};
  EXPECT_EQ(said_however_split(granite, "<response>Yes.</response>"), "content: Yes.");
  EXPECT_EQ(said_however_split(granite, "<think>Hm.</think><response>Yes.</response>\n"),
            "reasoning: Hm.\ncontent: Yes.\n");
  const std::string xml = "It answers <response>5</response> to that.";
  EXPECT_EQ(said_however_split(granite, xml), "content: " + xml);
  EXPECT_EQ(said_however_split(granite, "<response>" + xml + "</response>"), "content: " + xml);
  const std::string code = "Thus:\n```xml\n<response>\n5\n</response>\n```";
  EXPECT_EQ(said_however_split(granite, code), "content: " + code);
  const ParseCase hunyuan{.format = "hunyuan"};
  EXPECT_EQ(said_however_split(hunyuan, "<answer>\nXML: <answer>5</answer>!\n</answer>"),
            "content: \nXML: <answer>5</answer>!\n");
  const ParseCase command{.format = "command-r"};
  EXPECT_EQ(said_however_split(command, "<|START_RESPONSE|>Yes.<|END_TEXT|> <|END_RESPONSE|>"),
            "content: Yes. ");
}

// Waiting for the end must not mean looking at all that has come again and again.
TEST(ProseMarkup, LooksAheadABoundedNumberOfMarkers) {
  const ParseCase granite{.format = "granite-3"};
  std::string many = "Yes.";
  for (int i = 0; i < 20000; ++i) many += "</response>";
  const std::string shown = parse_bytewise(granite, many);
  EXPECT_EQ(parse(granite, many), shown);
  EXPECT_TRUE(shown.starts_with("content: Yes.</response>"));
  EXPECT_EQ(said_however_split(granite, "Yes.</response>" + std::string(65, ' ')),
            "content: Yes.</response>" + std::string(65, ' '));
}

}  // namespace
}  // namespace parley::orchestration::calls
