// What the encodings do apart from what all families do alike (families_test.cpp).

#include <gtest/gtest.h>

#include "tests/orchestration/calls/parse_helper.h"

namespace parley::orchestration::calls {
namespace {

std::string read_as(const std::string& format, std::string_view text) {
  const ParseCase c{.format = format};
  const std::string whole = parse(c, text);
  EXPECT_EQ(parse_bytewise(c, text), whole);
  return whole;
}

const std::string kParisCall = "call 0 get_weather\narguments 0: {\"city\": \"Paris\"}\nend 0 ok\n";
const std::string kNowCall = "call 0 now\narguments 0: {}\nend 0 ok\n";

TEST(JsonCalls, AreReadFromListsWithIdsAfterThem) {
  EXPECT_EQ(read_as("mistral", R"([TOOL_CALLS][{"name": "now", "arguments": {}, "id": "abcdefghi"}])"),
            "call 0 now\narguments 0: {}\nend 0 ok #abcdefghi\n");
  EXPECT_EQ(
      read_as(
          "command-r",
          R"(<|START_ACTION|>[{"tool_call_id": "0", "tool_name": "now", "parameters": {}}]<|END_ACTION|>)"),
      "call 0 now #0\narguments 0: {}\nend 0 ok\n");
}

TEST(JsonCalls, MayBeNone) { EXPECT_EQ(read_as("smollm2", "<tool_call>[]</tool_call>"), ""); }

TEST(JsonCalls, AreLlamasWithoutMarkersOrWithItsOwn) {
  EXPECT_EQ(read_as("llama-3", R"({"name": "get_weather", "parameters": {"city": "Paris"}})"),
            "pending\n" + kParisCall);
  EXPECT_EQ(read_as("llama-3", R"({"type": "function", "name": "now", "parameters": {}})"),
            "pending\n" + kNowCall);
  EXPECT_EQ(read_as("llama-3", R"(<|python_tag|>{"name": "get_weather", "parameters": {"city": "Paris"}})"),
            kParisCall);
  EXPECT_EQ(read_as("llama-3", R"(<|python_tag|>get_weather.call(city="Paris"))"), kParisCall);
  EXPECT_EQ(read_as("llama-3", R"([get_weather(city="Paris")])"), kParisCall);
  EXPECT_EQ(read_as("llama-3", "<|python_tag|>print(1 + 1"),
            "call 0 print\narguments 0: {\nend 0 the arguments cannot be read: an argument without a name\n");
  EXPECT_EQ(read_as("llama-3", "{1, 2} is a set"), "content: {1, 2} is a set");
}

TEST(JsonCalls, OfLlamaMayHaveSemicolonsBehindThem) {
  EXPECT_EQ(read_as("llama-3", "[now()];"), kNowCall);
  EXPECT_EQ(read_as("llama-3", R"([now()]; <|python_tag|>{"name": "now", "parameters": {}};)"),
            kNowCall + "call 1 now\narguments 1: {}\nend 1 ok\n");
  EXPECT_EQ(read_as("hermes", R"(<tool_call>{"name": "now"}</tool_call>; so)"), kNowCall + "content: ; so");
}

TEST(NamedCalls, TakeMistralsThreeForms) {
  EXPECT_EQ(read_as("mistral", R"([TOOL_CALLS]get_weather[ARGS]{"city": "Paris"})"), kParisCall);
  EXPECT_EQ(read_as("mistral", R"([TOOL_CALLS]get_weather{"city": "Paris"})"), kParisCall);
  EXPECT_EQ(read_as("mistral", R"([TOOL_CALLS]now[CALL_ID]abcdefghi[ARGS]{})"),
            "call 0 now #abcdefghi\narguments 0: {}\nend 0 ok\n");
}

TEST(NamedCalls, NeedNoSection) {
  EXPECT_EQ(read_as("deepseek-v3.1", "<｜tool▁call▁begin｜>now<｜tool▁sep｜>{}<｜tool▁call▁end｜>"),
            kNowCall);
  EXPECT_EQ(
      read_as("kimi-k2", "<|tool_call_begin|>functions.now:0<|tool_call_argument_begin|>{}<|tool_call_end|>"),
      "call 0 now #functions.now:0\narguments 0: {}\nend 0 ok\n");
}

TEST(NamedCalls, MayHaveNoArguments) {
  EXPECT_EQ(read_as("deepseek-v3.1", "<｜tool▁call▁begin｜>now<｜tool▁sep｜><｜tool▁call▁end｜>"), kNowCall);
  EXPECT_EQ(read_as("functionary-v3.1", "<function=now></function>"), kNowCall);
}

TEST(NamedCalls, SayWhatIsWrong) {
  EXPECT_EQ(read_as("functionary-v3.1", "<function=now>[1]</function><function=now>{}</function>"),
            "call 0 now\nend 0 the arguments are not a JSON object\ncall 1 now\narguments 1: {}\nend 1 ok\n");
}

TEST(NamedCalls, OfFunctionaryNeedAKnownName) {
  EXPECT_EQ(read_as("functionary-v3.2", "all\nType >>> print(1)\n>>> x = 1\nand\n>>>now\n{}"),
            "content: Type >>> print(1)\n>>> x = 1\nand\n" + kNowCall);
}

TEST(NamedCalls, OfFunctionaryMayHaveNamesThatWereNotOffered) {
  EXPECT_EQ(read_as("functionary-v3.2", "nope\n{}"), "call 0 nope\narguments 0: {}\nend 0 ok\n");
  EXPECT_EQ(read_as("functionary-v3.2", "Hello.\nYou."), "content: Hello.\nYou.");
}

TEST(NamedCalls, LeaveFencesAfterACallToProse) {
  EXPECT_EQ(read_as("deepseek-v3.1",
                    "<｜tool▁call▁begin｜>now<｜tool▁sep｜>{}<｜tool▁call▁end｜>\n```python\nx\n```"),
            kNowCall + "content: ```python\nx\n```");
}

TEST(TaggedCalls, TypeValuesBySchema) {
  EXPECT_EQ(
      read_as("qwen3-coder",
              "<tool_call>\n<function=get_weather>\n<parameter=city>\n5\n</"
              "parameter>\n<parameter=days>\n5\n</parameter>\n"
              "<parameter=any>\n[1]\n</parameter>\n<parameter=nope>\ntrue\n</parameter>\n</function>\n</"
              "tool_call>"),
      "call 0 get_weather\narguments 0: {\"city\": \"5\", \"days\": 5, \"any\": [1], \"nope\": "
      "\"true\"}\nend 0 ok\n");
}

TEST(TaggedCalls, FrameValuesInOneNewline) {
  EXPECT_EQ(read_as("qwen3-coder",
                    "<function=calculator>\n<parameter=expression>\n\n a\n\nb \n\n</parameter>\n</function>"),
            "call 0 calculator\narguments 0: {\"expression\": \"\\n a\\n\\nb \\n\"}\nend 0 ok\n");
  EXPECT_EQ(
      read_as("qwen3-coder", "<function=calculator>\n<parameter=expression>\n\n</parameter>\n</function>"),
      "call 0 calculator\narguments 0: {\"expression\": \"\"}\nend 0 ok\n");
  EXPECT_EQ(read_as("qwen3-coder", "<function=calculator><parameter=expression>1</parameter></function>"),
            "call 0 calculator\narguments 0: {\"expression\": \"1\"}\nend 0 ok\n");
}

TEST(TaggedCalls, ForgiveForgottenAndDoubledTags) {
  const std::string open = "<function=get_weather>\n<parameter=city>\nParis\n";
  EXPECT_EQ(read_as("qwen3-coder", open + "</parameter>\n</function>\n</tool_call>"), kParisCall);
  EXPECT_EQ(read_as("qwen3-coder",
                    "<tool_call>\n" + open +
                        "</parameter>\n</parameter>\n</function>\n</function>\n</tool_call>\n</tool_call>"),
            kParisCall);
  EXPECT_EQ(read_as("qwen3-coder", "<tool_call>\n" + open + "</function>\n</tool_call>"), kParisCall);
  EXPECT_EQ(read_as("qwen3-coder", "<tool_call>\n" + open + "</parameter>\n</tool_call>"), kParisCall);
  EXPECT_EQ(read_as("qwen3-coder", open + "</parameter>\n</function>\nDone."), kParisCall + "content: Done.");
}

TEST(TaggedCalls, KeepTagsInsideValues) {
  EXPECT_EQ(read_as("qwen3-coder",
                    "<tool_call>\n<function=calculator>\n<parameter=expression>\na </parameter> "
                    "b\n</parameter>\n</function>\nc\n"
                    "</parameter>\n</function>\n</tool_call>"),
            "call 0 calculator\narguments 0: {\"expression\": \"a </parameter> "
            "b\\n</parameter>\\n</function>\\nc\"}\nend 0 ok\n");
}

TEST(TaggedCalls, KeepTagsInsideTheStringsOfJson) {
  const std::string places = R"(["</parameter>\n</function>", "</parameter></function></tool_call>"])";
  EXPECT_EQ(read_as("qwen3-coder", "<tool_call>\n<function=get_weather>\n<parameter=places>\n" + places +
                                       "\n</parameter>\n</function>\n</tool_call>"),
            "call 0 get_weather\narguments 0: {\"places\": " + places + "}\nend 0 ok\n");
  const std::string options = R"({"</arg_value><arg_key>": "</arg_value></tool_call>"})";
  EXPECT_EQ(read_as("glm-4.5", "<tool_call>get_weather<arg_key>options</arg_key><arg_value>" + options +
                                   "</arg_value></tool_call>\nDone."),
            "call 0 get_weather\narguments 0: {\"options\": " + options + "}\nend 0 ok\ncontent: Done.");
}

TEST(TaggedCalls, EndBeforeProseThatFollowsThem) {
  const std::string call =
      "<tool_call>get_weather<arg_key>city</arg_key><arg_value>Paris</arg_value></tool_call>";
  EXPECT_EQ(read_as("glm-4.5", call + "\nDone."), kParisCall + "content: Done.");
  EXPECT_EQ(read_as("glm-4.5", call + "\nAnd:\n<tool_call>now</tool_call>"),
            kParisCall + "content: And:\ncall 1 now\narguments 1: {}\nend 1 ok\n");
  EXPECT_EQ(
      read_as(
          "qwen3-coder",
          "<tool_call>\n<function=get_weather>\n<parameter=city>\nParis\n</parameter>\n</function>\nDone."),
      kParisCall + "content: Done.")
      << "the section's tag was forgotten";
}

TEST(TaggedCalls, StreamStrings) {
  const auto parser = make_call_parser(*find_call_format("qwen3-coder"), options_of({}));
  EventLog log;
  log.add(parser->push(0, "<tool_call>\n<function=get_weather>\n<parameter=city>\nPar\nis\n</para"));
  EXPECT_EQ(log.text(), "call 0 get_weather\narguments 0: {\"city\": \"Par\\nis");
}

TEST(TaggedCalls, SayWhatIsWrong) {
  EXPECT_EQ(read_as("qwen3-coder",
                    "<tool_call>\n<function=now>\noops\n</function>\n</"
                    "tool_call>\n<tool_call>\n<function=now>\n</function>\n</tool_call>"),
            "call 0 now\narguments 0: {\nend 0 the tag of an argument was expected\ncall 1 now\narguments 1: "
            "{}\nend 1 ok\n");
}

TEST(TaggedCalls, OfGlmMayStandOnOneLine) {
  EXPECT_EQ(read_as("glm-4.5",
                    "<tool_call>get_weather<arg_key>city</arg_key><arg_value>Paris</arg_value></tool_call>"),
            kParisCall);
  EXPECT_EQ(read_as("glm-4.5", "<tool_call>now</tool_call>"), kNowCall);
  EXPECT_EQ(read_as("glm-4.5", "<tool_call>now\n</tool_call>"), kNowCall);
  EXPECT_EQ(read_as("glm-4.5", "<tool_call>now </tool_call>"), kNowCall);
  EXPECT_EQ(
      read_as("glm-4.5",
              "<tool_call>get_weather\t<arg_key>city</arg_key><arg_value>Paris</arg_value></tool_call>"),
      kParisCall);
  EXPECT_EQ(read_as("glm-4.5", "Use <tool_call> and </tool_call> or <tool_call>and </tool_call>."),
            "content: Use <tool_call> and </tool_call> or <tool_call>and </tool_call>.");
}

TEST(TaggedCalls, OfDsmlSayWhatIsAString) {
  EXPECT_EQ(read_as("deepseek-v3.2",
                    "<｜DSML｜function_calls>\n<｜DSML｜invoke name=\"get_weather\">\n<｜DSML｜parameter "
                    "name=\"days\" string=\"true\">5"
                    "</｜DSML｜parameter>\n<｜DSML｜parameter name=\"city\" string=\"false\">{\"a\": "
                    "1}</｜DSML｜parameter>\n"
                    "</｜DSML｜invoke>\n</｜DSML｜function_calls>"),
            "call 0 get_weather\narguments 0: {\"days\": \"5\", \"city\": {\"a\": 1}}\nend 0 ok\n");
  EXPECT_EQ(read_as("deepseek-v3.2",
                    "<｜DSML｜function_calls>\n<｜DSML｜invoke name=\"get_weather\">\n<｜DSML｜parameter "
                    "name=\"any\" string=\"false\">\"5\"</｜DSML｜parameter>\n"
                    "</｜DSML｜invoke>\n</｜DSML｜function_calls>"),
            "call 0 get_weather\narguments 0: {\"any\": \"5\"}\nend 0 ok\n");
}

TEST(LiteralCalls, TakePositionsFromTheSchema) {
  EXPECT_EQ(read_as("lfm2", "<|tool_call_start|>[get_weather('Paris')]<|tool_call_end|>"), kParisCall);
  EXPECT_EQ(read_as("lfm2", "<|tool_call_start|>[now('x')]<|tool_call_end|>"),
            "call 0 now\narguments 0: {\nend 0 the arguments cannot be read: an argument without a name\n");
}

TEST(LiteralCalls, WithoutMarkersNeedAnOfferedName) {
  EXPECT_EQ(read_as("lfm2.5", "[get_weather(city='Paris')]"), kParisCall);
  EXPECT_EQ(read_as("lfm2.5", "[see(this)] and [that]"), "content: [see(this)] and [that]");
}

TEST(LiteralCalls, KeepQuotesInsideStrings) {
  EXPECT_EQ(read_as("lfm2", "<|tool_call_start|>[get_weather(city='it's here')]<|tool_call_end|>"),
            "call 0 get_weather\narguments 0: {\"city\": \"it's here\"}\nend 0 ok\n");
  EXPECT_EQ(read_as("gemma-4", "<|tool_call>call:get_weather{city:<|\"|>a<|\"|>b \"c\"<|\"|>}<tool_call|>"),
            "call 0 get_weather\narguments 0: {\"city\": \"a<|\\\"|>b \\\"c\\\"\"}\nend 0 ok\n");
}

TEST(LiteralCalls, TakeGemmasOtherForms) {
  EXPECT_EQ(read_as("gemma-4", "<|tool_call>call:get_weather{city:\"Paris\"}<tool_call|>"), kParisCall);
  EXPECT_EQ(read_as("gemma-4", "<|tool_call>call:get_weather{\"city\": 'Paris'}<tool_call|>"), kParisCall);
  EXPECT_EQ(read_as("gemma-4", "<|tool_call>call:get_weather(city=\"Paris\")<tool_call|>"), kParisCall);
  EXPECT_EQ(read_as("gemma-4", "<|tool_call>call:get_weather{city:Paris}<tool_call|>"), kParisCall);
}

TEST(Channels, TakeTheRecipientInEitherPlace) {
  EXPECT_EQ(read_as("harmony",
                    "<|channel|>commentary to=functions.get_weather <|constrain|>json<|message|>{\"city\": "
                    "\"Paris\"}<|call|>"),
            kParisCall);
  EXPECT_EQ(
      read_as("harmony",
              " to=functions.get_weather<|channel|>commentary json<|message|>{\"city\": \"Paris\"}<|call|>"),
      kParisCall);
  EXPECT_EQ(read_as("harmony",
                    "<|channel|>analysis<|message|>Hm.<|end|><|start|>assistant "
                    "to=functions.get_weather<|channel|>commentary"
                    "<|message|>{\"city\": \"Paris\"}"),
            "reasoning: Hm.\n" + kParisCall);
}

TEST(Channels, KeepMarkersInWhatIsThoughtAndSaid) {
  const std::string end = "<|end|><|start|>assistant<|channel|>final<|message|>Yes.";
  const std::string begin = "<|channel|>analysis<|message|>";
  for (const std::string thought :
       {"Write <|channel|> and <|message|>.", "It ends with <|end|> or <|call|> or <|return|>.",
        "<|start|>user", "<|channel|>finally<|message|> is none", "<|end|> <|start|>assistant"}) {
    EXPECT_EQ(read_as("harmony", begin + thought + end), "reasoning: " + thought + "\ncontent: Yes.");
  }
  EXPECT_EQ(read_as("harmony", "<|channel|>final<|message|>It ends with <|return|>, see.<|return|>"),
            "content: It ends with <|return|>, see.");
  EXPECT_EQ(
      read_as("harmony", begin + "Hm.<|channel|>commentary to=functions.now <|constrain|>json<|message|>{}"),
      "reasoning: Hm.\n" + kNowCall);
}

TEST(Channels, SurviveMalformedHeaders) {
  EXPECT_EQ(read_as("harmony", "Just text."), "content: Just text.");
  EXPECT_EQ(read_as("harmony", "<|channel|>analysis<|message|>Hm.<|channel|>final<|message|>Yes.<|return|>"),
            "reasoning: Hm.\ncontent: Yes.");
  EXPECT_EQ(read_as("harmony", "<|channel|>analysis<|end|><|start|>assistant<|channel|>final<|message|>Yes."),
            "content: Yes.");
  EXPECT_EQ(
      read_as("harmony", "<|channel|>commentary to=functions.get_weather json{\"city\": \"Paris\"}<|call|>"),
      kParisCall);
  EXPECT_EQ(
      read_as("harmony",
              "<|channel|>commentary "
              "to=functions.now<|message|>oops<|call|><|start|>assistant<|channel|>final<|message|>Yes."),
      "call 0 now\nend 0 the arguments are not a JSON object\ncontent: Yes.");
  EXPECT_EQ(read_as("harmony", "<|channel|>commentary to=functions.now<|message|><|call|>"), kNowCall);
}

}  // namespace
}  // namespace parley::orchestration::calls
