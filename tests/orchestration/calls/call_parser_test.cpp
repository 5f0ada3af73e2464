// Reasoning, prose around calls, broken calls and their siblings.

#include "orchestration/calls/call_parser.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/orchestration/calls/parse_helper.h"

namespace parley::orchestration::calls {
namespace {

// In one piece and bytewise, which must not differ.
std::string said(const ParseCase& c, std::string_view text) {
  const std::string whole = parse(c, text);
  EXPECT_EQ(parse_bytewise(c, text), whole);
  return whole;
}

constexpr const char* kNow = "call 0 now\narguments 0: {}\nend 0 ok\n";
constexpr const char* kNowWritten = "<tool_call>\n{\"name\": \"now\", \"arguments\": {}}\n</tool_call>";

TEST(CallParser, FindsReasoningInEachStart) {
  EXPECT_EQ(said({}, "<think>\nHm.\n</think>\n\nYes."), "reasoning: Hm.\ncontent: Yes.");
  EXPECT_EQ(said({.reasoning = ReasoningStart::opened}, "Hm.\n</think>\n\nYes."),
            "reasoning: Hm.\ncontent: Yes.");
  EXPECT_EQ(said({.reasoning = ReasoningStart::opened}, "<think>\nHm.\n</think>\nYes."),
            "reasoning: Hm.\ncontent: Yes.");
  EXPECT_EQ(said({.reasoning = ReasoningStart::closed}, "Yes."), "content: Yes.");
  EXPECT_EQ(said({.reasoning = ReasoningStart::only_closing}, "Hm.</think>Yes."),
            "reasoning: Hm.\ncontent: Yes.");
}

TEST(CallParser, CarriesReasoningOn) {
  const ParseCase inside{.reasoning = ReasoningStart::inside};
  EXPECT_EQ(said(inside, " and more.\n</think>\n\nYes."), "reasoning:  and more.\ncontent: Yes.");
  EXPECT_EQ(said(inside, "\n\nmore"), "reasoning: \n\nmore") << "white space is part of the text";
  EXPECT_EQ(said(inside, "<think> is a marker</think>Yes."), "reasoning: <think> is a marker\ncontent: Yes.");
  EXPECT_EQ(said(inside, "</think>Yes."), "content: Yes.");
  const ParseCase harmony{.format = "harmony", .reasoning = ReasoningStart::inside};
  EXPECT_EQ(said(harmony, " and more.<|end|><|start|>assistant<|channel|>final<|message|>Yes."),
            "reasoning:  and more.\ncontent: Yes.");
}

TEST(CallParser, ShowsNoEmptyReasoning) {
  EXPECT_EQ(said({}, "<think>\n\n</think>\n\nYes."), "content: Yes.");
  EXPECT_EQ(said({.reasoning = ReasoningStart::opened}, "\n</think>\nYes."), "content: Yes.");
}

TEST(CallParser, KeepsQuotedMarkersInReasoning) {
  EXPECT_EQ(said({}, "<think>it ends with `</think>` or '</think>'.</think>Yes."),
            "reasoning: it ends with `</think>` or '</think>'.\ncontent: Yes.");
}

TEST(CallParser, DropsAClosingMarkerWithoutABlockBeforeAllProse) {
  EXPECT_EQ(said({}, "</think>\n\nYes."), "content: Yes.");
  EXPECT_EQ(said({}, "\n\n</think>Yes."), "content: \n\nYes.");
  EXPECT_EQ(said({}, "<think>Hm.</think></think>Yes."), "reasoning: Hm.\ncontent: Yes.");
  EXPECT_EQ(said({}, "Yes.</think>"), "content: Yes.</think>");
}

TEST(CallParser, LeavesMarkersInProseAlone) {
  const std::string text = "Write <tool_call> and </tool_call> around it, never\n<think> or <too";
  EXPECT_EQ(said({}, text), "content: " + text);
}

TEST(CallParser, FindsReasoningAgainAfterACall) {
  EXPECT_EQ(said({}, std::string(kNowWritten) + "\n<think>Hm.</think>\nYes."),
            std::string(kNow) + "reasoning: Hm.\ncontent: Yes.");
}

TEST(CallParser, DetectsNoCallsInReasoning) {
  const std::string inside =
      "I could write <tool_call>\n{\"name\": \"now\", \"arguments\": {}}\n</tool_call> here.";
  EXPECT_EQ(said({}, "<think>" + inside + "</think>Yes."), "reasoning: " + inside + "\ncontent: Yes.");
  EXPECT_EQ(said({}, "<think>" + inside), "reasoning: " + inside);
}

TEST(CallParser, DetectsCallsInAnOpenBlockWhereTheFamilyMeansThem) {
  const ParseCase kimi{.format = "kimi-k2", .reasoning = ReasoningStart::opened};
  EXPECT_EQ(
      said(kimi, "Hm. <|tool_call_begin|>functions.now:3<|tool_call_argument_begin|>{}<|tool_call_end|>"),
      "reasoning: Hm.\ncall 0 now #functions.now:3\narguments 0: {}\nend 0 ok\n");
  const ParseCase qwen{.format = "qwen3-coder", .reasoning = ReasoningStart::opened};
  EXPECT_EQ(said(qwen, "Hm.\n\n<tool_call>\n<function=now>\n</function>\n</tool_call>"),
            "reasoning: Hm.\n" + std::string(kNow));
  EXPECT_EQ(said(qwen, "A <tool_call> is due.</think>Yes."),
            "reasoning: A <tool_call> is due.\ncontent: Yes.");
}

TEST(CallParser, TakesOnlyACallOfAnOfferedToolForOneInAnOpenBlock) {
  const ParseCase qwen{.format = "qwen3-coder", .reasoning = ReasoningStart::opened};
  for (const std::string thought :
       {"I call <function=now> then.", "Write `<function=now>` to call.", "<tool_call>\n<function=nope>",
        "<tool_call>\n<function=nope>\n<parameter=a>\n1\n</parameter>\n</function>\n</tool_call>"}) {
    EXPECT_EQ(said(qwen, thought + "</think>Yes."), "reasoning: " + thought + "\ncontent: Yes.");
  }
  const ParseCase kimi{.format = "kimi-k2", .reasoning = ReasoningStart::opened};
  for (const std::string thought :
       {"<|tool_call_begin|>functions.nope:0<|tool_call_argument_begin|>{}",
        "<|tool_call_begin|>functions.now:0 or so",
        "<|tool_call_begin|>functions.now<|tool_call_argument_begin|>{}",
        "<|tool_call_begin|>now:0<|tool_call_argument_begin|>{}", "<|tool_call_begin|>{\"name\": \"now\"}",
        "<|tool_calls_section_begin|> and <|tool_call_begin|>"}) {
    EXPECT_EQ(said(kimi, thought + "</think>Yes."), "reasoning: " + thought + "\ncontent: Yes.");
  }
}

TEST(CallParser, KeepsMarkersOfCallsInWhatIsThought) {
  const ParseCase deepseek{.format = "deepseek-v3", .reasoning = ReasoningStart::opened};
  const std::string call =
      "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>now\n```json\n{}\n```"
      "<｜tool▁call▁end｜><｜tool▁calls▁end｜>";
  EXPECT_EQ(said(deepseek, "As " + call + "?</think>" + call), "reasoning: As " + call + "?\n" + kNow);
  const ParseCase functionary{.format = "functionary-v3.1"};
  EXPECT_EQ(said(functionary, "<think><function=now>{}</function></think><function=now>{}</function>"),
            "reasoning: <function=now>{}</function>\n" + std::string(kNow));
}

TEST(CallParser, ThinksBeforeTheNameWhereThePromptEndsInACall) {
  const ParseCase functionary{.format = "functionary-v3.2"};
  EXPECT_EQ(said(functionary, "<think>>>>now\n{} it is</think>\nnow\n{}"),
            "reasoning: >>>now\n{} it is\n" + std::string(kNow));
  EXPECT_EQ(said(functionary, "<think>Hm.</think>all\nYes.\n>>>now\n{}"),
            "reasoning: Hm.\ncontent: Yes.\n" + std::string(kNow));
  EXPECT_EQ(said(functionary, "<think>Hm.</think>Yes."), "reasoning: Hm.\ncontent: Yes.");
  EXPECT_EQ(said(functionary, " Yes."), "content:  Yes.");
}

TEST(CallParser, GivesProseAndCallsInOrder) {
  EXPECT_EQ(said({}, "One.\n\n" + std::string(kNowWritten) + "\nTwo.\n" + kNowWritten),
            "content: One.\n" + std::string(kNow) + "content: Two.\ncall 1 now\narguments 1: {}\nend 1 ok\n");
}

TEST(CallParser, KeepsTheSpaceOfProse) {
  EXPECT_EQ(said({}, " a\n\n\n b  \n"), "content:  a\n\n\n b  \n");
  const std::string wide = "a" + std::string(300, ' ') + "b";
  EXPECT_EQ(said({}, wide), "content: " + wide);
}

TEST(CallParser, KeepsGoodSiblingsOfABrokenCall) {
  const std::string broken =
      "<tool_call>\n{\"name\": \"get_weather\", \"arguments\": {\"city\": oops}}\n</tool_call>\n";
  EXPECT_EQ(said({}, broken + kNowWritten),
            "call 0 get_weather\narguments 0: {\"city\": \n"
            "end 0 the arguments are not valid JSON: a value was expected at byte 9\n"
            "call 1 now\narguments 1: {}\nend 1 ok\n");
}

TEST(CallParser, KeepsSiblingsOfACallWhoseStringDoesNotEnd) {
  const std::string broken =
      "<tool_call>\n{\"name\": \"calculator\", \"arguments\": {\"expression\": \"1}}\n</tool_call>\n";
  EXPECT_EQ(said({}, broken + kNowWritten),
            "call 0 calculator\narguments 0: {\"expression\": \"1}}\n"
            "end 0 the arguments are not valid JSON: a string is not ended at byte 19\n"
            "call 1 now\narguments 1: {}\nend 1 ok\n");
}

TEST(CallParser, EndsCallsThatTheOutputCuts) {
  EXPECT_EQ(said({}, "<tool_call>\n{\"name\": \"now\", \"argum"),
            "call 0 now\nend 0 the output ended inside the call\n");
  EXPECT_EQ(said({}, "<tool_call>\n{\"na"), "call 0 \nend 0 the output ended inside the call\n");
  EXPECT_EQ(said({}, "<tool_call>"), "call 0 \nend 0 the output ended inside the call\n");
  EXPECT_EQ(said({}, "<tool_c"), "content: <tool_c");
}

TEST(CallParser, ForgivesWhatModelsForget) {
  EXPECT_EQ(said({}, "<tool_call>{\"name\": \"now\", \"arguments\": {}}"), kNow);
  EXPECT_EQ(said({}, "<tool_call>{\"name\": \"now\", \"arguments\": {}\n</tool_call>"), kNow);
  EXPECT_EQ(said({}, "<tool_call>{\"name\": \"now\"}</tool_call>"), kNow);
  EXPECT_EQ(said({}, "<tool_call>{\"name\": \"now\", \"arguments\": null}</tool_call>"), kNow);
  EXPECT_EQ(said({}, "<tool_call>{{\"name\": \"now\", \"arguments\": {}}}</tool_call>"), kNow);
  EXPECT_EQ(said({}, "<tool_call>{\"name\": \"now\", \"arguments\": \"{}\"}</tool_call>"), kNow);
  EXPECT_EQ(said({},
                 "<tool_call>{\"type\": \"function\", \"function\": {\"name\": \"now\", \"arguments\": "
                 "{}}}</tool_call>"),
            kNow);
  EXPECT_EQ(said({}, "<tool_call>{\"arguments\": {}, \"name\": \"now\"}</tool_call></tool_call>"), kNow);
}

TEST(CallParser, SaysWhatIsWrongWithACall) {
  EXPECT_EQ(said({}, "<tool_call>{\"arguments\": {}}</tool_call>"), "call 0 \nend 0 the call has no name\n");
  EXPECT_EQ(said({}, "<tool_call>{\"name\": \"now\", \"arguments\": [1]}</tool_call>"),
            "call 0 now\nend 0 the arguments are not a JSON object\n");
  EXPECT_EQ(said({}, "<tool_call>[{\"name\": \"now\", \"arguments\": 5}, {\"name\": \"now\"}]</tool_call>"),
            "call 0 now\nend 0 the arguments are not a JSON object\ncall 1 now\narguments 1: {}\nend 1 ok\n");
}

TEST(CallParser, GivesCallsWithNamesThatWereNotOffered) {
  EXPECT_EQ(said({}, "<tool_call>{\"name\": \"nope\", \"arguments\": {}}</tool_call>"),
            "call 0 nope\narguments 0: {}\nend 0 ok\n");
}

TEST(CallParser, StreamsArguments) {
  const auto parser = make_call_parser(generic_call_format(), options_of({}));
  EventLog log;
  log.add(parser->push(0, "<tool_call>\n{\"name\": \"get_weather\", \"arguments\": {\"city\": \"Par"));
  EXPECT_EQ(log.text(), "call 0 get_weather\narguments 0: {\"city\": \"Par");
}

TEST(CallParser, RepairsBytesThatAreNotUtf8) {
  EXPECT_EQ(said({}, "a\xFF\x80 b\xC3"), "content: a\xEF\xBF\xBD\xEF\xBF\xBD b\xEF\xBF\xBD");
  EXPECT_EQ(parse_pieces({}, {"a\xC3"}, AnswerEnd::cut), "content: a");
  EXPECT_EQ(said({}, "<tool_call>{\"name\": \"now\", \"arguments\": {\"a\": \"\xC3\"}}</tool_call>"),
            "call 0 now\narguments 0: {\"a\": \"\xEF\xBF\xBD\"}\nend 0 ok\n");
}

TEST(CallParser, TakesMarkupForTextWhereToolsAreOff) {
  EXPECT_EQ(said({.detection = CallDetection::off}, kNowWritten), "content: " + std::string(kNowWritten));
  EXPECT_EQ(said({.tools = {}}, kNowWritten), "content: " + std::string(kNowWritten));
  EXPECT_EQ(said({.detection = CallDetection::off}, "<think>\nHm.\n</think>\nYes."),
            "reasoning: Hm.\ncontent: Yes.");
}

// A vocabulary where <tool_call>, its end, <think>, its end and <|im_end|> are tokens 1 to 5.
MarkerVocabulary sample_vocabulary() {
  static const std::vector<std::string> kNames = {"",        "<tool_call>", "</tool_call>",
                                                  "<think>", "</think>",    "<|im_end|>"};
  return {.id_of = [](std::string_view name) -> std::optional<TokenId> {
            for (std::size_t i = 1; i < kNames.size(); ++i) {
              if (kNames[i] == name) return static_cast<TokenId>(i);
            }
            return std::nullopt;
          },
          .is_special = [](TokenId id) { return id == 5; }};
}

std::string said_in_tokens(const std::vector<std::pair<TokenId, std::string>>& tokens,
                           CallDetection detection = CallDetection::native) {
  ParserOptions options = options_of({.detection = detection});
  options.vocabulary = sample_vocabulary();
  const auto parser = make_call_parser(generic_call_format(), std::move(options));
  EventLog log;
  for (const auto& [id, bytes] : tokens) log.add(parser->push(id, bytes));
  log.add(parser->finish(AnswerEnd::complete));
  return log.text();
}

TEST(CallParserIds, MatchMarkersById) {
  EXPECT_EQ(said_in_tokens({{3, "<think>"},
                            {0, "Hm."},
                            {4, "</think>"},
                            {0, "\n\nYes."},
                            {1, "<tool_call>"},
                            {0, "\n{\"name\": \"now\", "},
                            {0, "\"arguments\": {}}\n"},
                            {2, "</tool_call>"}}),
            "reasoning: Hm.\ncontent: Yes.\n" + std::string(kNow));
}

TEST(CallParserIds, LeaveSpelledMarkersAsText) {
  EXPECT_EQ(said_in_tokens({{0, kNowWritten}}), "content: " + std::string(kNowWritten));
  EXPECT_EQ(said_in_tokens({{0, "<think>a</think>"}}), "content: <think>a</think>");
  EXPECT_EQ(said_in_tokens({{0, "a"}, {4, "</think>"}, {0, "b"}}), "content: ab")
      << "a token counts anywhere";
  EXPECT_EQ(said_in_tokens({{3, "<think>"}, {0, "a </think> b"}, {4, "</think>"}, {0, "c"}}),
            "reasoning: a </think> b\ncontent: c");
}

TEST(CallParserIds, AreStillLenientWithSpelledMarkers) {
  EXPECT_EQ(said_in_tokens({{0, kNowWritten}}, CallDetection::lenient), "pending\n" + std::string(kNow));
}

TEST(CallParserIds, SpellMarkersInStringsAndReasoning) {
  EXPECT_EQ(said_in_tokens({{1, "<tool_call>"},
                            {0, "{\"name\": \"calculator\", \"arguments\": {\"expression\": \"a "},
                            {2, "</tool_call>"},
                            {0, " b\"}}"},
                            {2, "</tool_call>"}}),
            "call 0 calculator\narguments 0: {\"expression\": \"a </tool_call> b\"}\nend 0 ok\n");
  EXPECT_EQ(said_in_tokens({{3, "<think>"}, {0, "a "}, {1, "<tool_call>"}, {0, " b"}}),
            "reasoning: a <tool_call> b");
}

// A vocabulary where harmony's markers are tokens, from 1 on.
TEST(CallParserIds, TellHarmonysMarkersFromTextThatSpellsThem) {
  static const std::vector<std::string> kNames = {"",        "<|start|>",  "<|channel|>", "<|message|>",
                                                  "<|end|>", "<|return|>", "<|call|>",    "<|constrain|>"};
  ParserOptions options = options_of({});
  options.vocabulary.id_of = [](std::string_view name) -> std::optional<TokenId> {
    const auto found = std::find(kNames.begin() + 1, kNames.end(), name);
    if (found == kNames.end()) return std::nullopt;
    return static_cast<TokenId>(found - kNames.begin());
  };
  options.vocabulary.is_special = [](TokenId id) { return id > 0; };
  const auto parser = make_call_parser(*find_call_format("harmony"), std::move(options));
  EventLog log;
  const std::string spelled = "<|end|><|start|>assistant<|channel|>final<|message|>No.<|return|>";
  for (const auto& [id, bytes] : std::vector<std::pair<TokenId, std::string>>{{2, "<|channel|>"},
                                                                              {0, "analysis"},
                                                                              {3, "<|message|>"},
                                                                              {0, spelled},
                                                                              {2, "<|channel|>"},
                                                                              {0, " is one."},
                                                                              {4, "<|end|>"},
                                                                              {1, "<|start|>"},
                                                                              {0, "assistant"},
                                                                              {2, "<|channel|>"},
                                                                              {0, "final"},
                                                                              {3, "<|message|>"},
                                                                              {0, spelled}}) {
    log.add(parser->push(id, bytes));
  }
  log.add(parser->finish(AnswerEnd::complete));
  EXPECT_EQ(log.text(), "reasoning: " + spelled + "<|channel|> is one.\ncontent: " + spelled);
}

TEST(CallParserIds, DropStrayMarkersAndControlTokens) {
  EXPECT_EQ(said_in_tokens(
                {{0, "a"}, {2, "</tool_call>"}, {0, "b"}, {5, "<|im_end|>"}, {1, "<tool_call>"}, {0, "c"}}),
            "content: abc");
}

TEST(CallParserIds, TakeNoTextForAMarkersSymbol) {
  EXPECT_EQ(said_in_tokens({{0, "a\xFF\x80 b"}}), "content: a\xEF\xBF\xBD\xEF\xBF\xBD b");
}

}  // namespace
}  // namespace parley::orchestration::calls
