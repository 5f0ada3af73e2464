// What each family may write: read back by its own parser.

#include "orchestration/turn/call_grammar.h"

#include <gtest/gtest.h>

#include "inference/grammar/token_constraint.h"
#include "orchestration/calls/call_parser.h"
#include "tests/orchestration/turn/toy_text.h"
#include "tests/orchestration/turn/toy_tool.h"

namespace parley::orchestration::turn {
namespace {

class CallGrammarTest : public testing::Test {
 protected:
  CallGrammarTest() { offer_.tools = toy_tools(); }

  bool has_grammar(const char* format) { return make(format) != nullptr; }
  std::shared_ptr<const inference::grammar::Grammar> make(const char* format) {
    reading_.format = calls::find_call_format(format);
    CallGrammar made = make_call_grammar(offer_, reading_, start_, *vocabulary_);
    unenforced_ = std::move(made.unenforced);
    return std::move(made.grammar);
  }
  bool admits(const char* format, std::string_view text) {
    const auto walked = inference::grammar::make_constraint(make(format), vocabulary_);
    for (const std::int32_t id : tokenizer_.encode(text)) {
      if (!walked->allows(id)) return false;
      walked->accept(id);
    }
    return walked->allows(kToyStop);
  }
  // Name and arguments of the one call in it.
  std::string parsed(const char* format, std::string_view text) {
    calls::ParserOptions options;
    for (const auto& tool : offer_.tools)
      options.tools.push_back({tool->spec().name, tool->spec().parameters});
    const auto parser = calls::make_call_parser(*calls::find_call_format(format), std::move(options));
    auto events = parser->push(0, text);
    for (auto& event : parser->finish(calls::AnswerEnd::complete)) events.push_back(std::move(event));
    std::string call;
    for (const auto& event : events) {
      if (const auto* begin = std::get_if<calls::CallBegin>(&event)) call += begin->name + " ";
      if (const auto* part = std::get_if<calls::ArgumentsDelta>(&event)) call += part->json;
      if (const auto* end = std::get_if<calls::CallEnd>(&event)) call += end->error;
    }
    return call;
  }

  ToyTokenizer tokenizer_;
  std::shared_ptr<const inference::grammar::VocabularyIndex> vocabulary_ =
      std::make_shared<const inference::grammar::VocabularyIndex>(tokenizer_);
  ToolOffer offer_;
  std::vector<std::string> unenforced_;  // by the grammar made last
  CallReading reading_;
  calls::ReasoningStart start_ = calls::ReasoningStart::model_opens;
};

struct Demanded {
  const char* format;
  const char* call;  // with @ for the arguments
};

const Demanded kDemanded[] = {
    {"hermes", "<tool_call>\n{\"name\": \"get_weather\", \"arguments\": @}\n</tool_call>"},
    {"longcat", "<longcat_tool_call>\n{\"name\": \"get_weather\", \"arguments\": @}\n</longcat_tool_call>"},
    {"llama-3", "{\"name\": \"get_weather\", \"parameters\": @}"},
    {"mistral", "[TOOL_CALLS]get_weather[ARGS]@"},
    {"functionary-v3.1", "<function=get_weather>@</function>"},
    {"deepseek-v3.1",
     "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>get_weather<｜tool▁sep｜>@<｜tool▁call▁end｜><"
     "｜tool▁calls▁end｜>"},
    {"mistral", "[TOOL_CALLS][{\"name\": \"get_weather\", \"arguments\": @, \"id\": \"abcdefgh1\"}]"},
    {"mistral", "[TOOL_CALLS]get_weather[CALL_ID]abcdefgh1[ARGS]@"},
    {"llama-3", "<|python_tag|>{\"type\": \"function\", \"name\": \"get_weather\", \"parameters\": @}"},
    {"harmony", "<|channel|>commentary to=functions.get_weather<|message|>@"},
    {"harmony", "<|channel|>commentary to=functions.get_weather json<|message|>@"},
    {"kimi-k2",
     "<|tool_calls_section_begin|><|tool_call_begin|>functions.get_weather:12<|tool_call_argument_begin|>@<"
     "|tool_call_end|><|tool_calls_section_end|>"},
    {"deepseek-v3",
     "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>get_weather\n```json\n@\n```<"
     "｜tool▁call▁end｜><｜tool▁calls▁end｜>"},
};

std::string with_arguments(const Demanded& demanded, const std::string& arguments) {
  std::string text = demanded.call;
  return text.replace(text.find('@'), 1, arguments);
}

TEST_F(CallGrammarTest, ADemandedCallIsWrittenSoThatTheFamilysParserReadsIt) {
  offer_.choice = ToolChoice::required;
  for (const Demanded& demanded : kDemanded) {
    const std::string call = with_arguments(demanded, R"({"city": "Oslo"})");
    EXPECT_TRUE(admits(demanded.format, call)) << demanded.format;
    EXPECT_EQ(parsed(demanded.format, call), R"(get_weather {"city": "Oslo"})") << demanded.format;
    EXPECT_FALSE(admits(demanded.format, with_arguments(demanded, R"({"city": 3})"))) << demanded.format;
    EXPECT_FALSE(admits(demanded.format, with_arguments(demanded, "{}"))) << demanded.format;
    EXPECT_FALSE(admits(demanded.format, "Hello")) << demanded.format;
  }
}

TEST_F(CallGrammarTest, ADemandedCallIsNotPutOffByWhiteSpace) {
  offer_.choice = ToolChoice::required;
  const std::string call = with_arguments(kDemanded[0], R"({"city": "Oslo"})");
  EXPECT_TRUE(admits("hermes", call));
  EXPECT_FALSE(admits("hermes", "\n" + call));
  EXPECT_FALSE(admits("hermes", "    " + call));
}

TEST_F(CallGrammarTest, DemandedCallsAreBoundedAndTheAnswerMayEndBehindEach) {
  offer_.choice = ToolChoice::required;
  offer_.max_calls = 2;
  const std::string call = with_arguments(kDemanded[0], R"({"city": "Oslo"})");
  EXPECT_TRUE(admits("hermes", call));
  EXPECT_TRUE(admits("hermes", call + "\n"));
  EXPECT_TRUE(admits("hermes", call + "\n" + call));
  EXPECT_FALSE(admits("hermes", call + "\n" + call + "\n" + call));
  EXPECT_FALSE(admits("hermes", call + "\n" + call + "\n"));
  offer_.parallel = false;
  EXPECT_FALSE(admits("hermes", call + "\n" + call));
}

TEST_F(CallGrammarTest, EveryFamilyCanBeMadeToCall) {
  offer_.choice = ToolChoice::required;
  for (const calls::CallFormat& format : calls::call_formats()) {
    EXPECT_TRUE(has_grammar(format.name.c_str())) << format.name;
  }
}

TEST_F(CallGrammarTest, InProseItWakesWhereACallBegins) {
  EXPECT_TRUE(admits("hermes", "Hello <b>"));
  EXPECT_FALSE(admits("hermes", "<tool_call>{\"name\": \"other\""));
  EXPECT_FALSE(admits("llama-3", R"({"name": "get_weather", "parameters": {"city": 3}})"));
  EXPECT_TRUE(admits(
      "harmony", "<|channel|>analysis<|message|>to=functions.x<|end|><|start|>assistant<|channel|>final"));
  EXPECT_FALSE(admits("harmony", "<|channel|>analysis<|message|>Hm<|end|><|start|>assistant to=functions.x"));
  EXPECT_TRUE(admits(
      "harmony", " to=functions.get_weather<|channel|>commentary json<|message|>{\"city\": \"x\"}<|call|>"));
  EXPECT_FALSE(
      admits("harmony", " to=functions.get_weather<|channel|>commentary json<|message|>{\"city\": 1}"));
  EXPECT_TRUE(admits("phi-4-mini", "import functools[{"));
  EXPECT_TRUE(admits("gemma-4", "call:get_weather{now"));
  for (const calls::CallFormat& format : calls::call_formats()) {
    EXPECT_TRUE(has_grammar(format.name.c_str())) << format.name;
  }
}

TEST_F(CallGrammarTest, NothingIsEnforcedOfToolsThatAreNotStrictUnlessACallIsDemanded) {
  offer_.tools = toy_tools(false);
  EXPECT_FALSE(has_grammar("hermes"));
  offer_.tools.push_back(toy_tools(true).front());
  EXPECT_TRUE(has_grammar("hermes"));
  EXPECT_TRUE(
      admits("hermes", "<tool_call>{\"name\": \"calculator\", \"arguments\": {\"any\": 1}}</tool_call>"));
  EXPECT_TRUE(admits("qwen3-coder", "<function=calculator>\n<parameter=any>\n1\n</parameter>\n</function>"));
}

TEST_F(CallGrammarTest, ACallInReasoningThatIsNotClosedIsHeldToTheSchema) {
  reading_.reasoning = Reasoning::possible;
  start_ = calls::ReasoningStart::opened;
  EXPECT_TRUE(admits("qwen3-coder", "I use <tool_call> or <function=x> now"));
  EXPECT_FALSE(admits("qwen3-coder", "I use <tool_call>\n<function=get_weather>\n</function>"));
  EXPECT_TRUE(admits("hermes", "I use <tool_call>\n{\"name\": \"get_weather\", now"));
  EXPECT_FALSE(
      admits("kimi-k2", "Hm <|tool_call_begin|>functions.get_weather:0<|tool_call_argument_begin|>{}"));
}

TEST_F(CallGrammarTest, WhatIsNotEnforcedIsSaid) {
  offer_.tools.push_back(std::make_shared<ToyTool>(
      "odd", "", R"({"type":"object","properties":{"a":{"type":"array","uniqueItems":true}}})", true));
  EXPECT_TRUE(has_grammar("gemma-4"));
  EXPECT_EQ(unenforced_,
            std::vector<std::string>{"odd#/properties/a: uniqueItems is only checked afterwards"});
  offer_.tools.back() = std::make_shared<ToyTool>(
      "odd", "", R"({"type":"object","properties":{"a>b":{"type":"string"}},"required":["a>b"]})", true);
  EXPECT_TRUE(has_grammar("qwen3-coder"));
  ASSERT_EQ(unenforced_.size(), 1u);
  EXPECT_NE(unenforced_[0].find("odd: no argument is enforced"), std::string::npos) << unenforced_[0];
  EXPECT_FALSE(admits("qwen3-coder", "<function=get_weather>\n</function>")) << "the others are";
  EXPECT_TRUE(admits("qwen3-coder", "<function=odd>\n<parameter=x>\ny\n</parameter>\n</function>"));
}

TEST_F(CallGrammarTest, ReasoningComesBeforeADemandedCall) {
  offer_.choice = ToolChoice::required;
  const std::string call = with_arguments(kDemanded[0], R"({"city": "Oslo"})");
  EXPECT_FALSE(admits("hermes", "<think>Hm.</think>" + call));
  reading_.reasoning = Reasoning::possible;
  EXPECT_TRUE(admits("hermes", "<think>Hm.</think>" + call));
  EXPECT_TRUE(admits("hermes", call));
  start_ = calls::ReasoningStart::opened;
  EXPECT_TRUE(admits("hermes", "Hm.</think>" + call));
  start_ = calls::ReasoningStart::closed;
  EXPECT_FALSE(admits("hermes", "<think>Hm.</think>" + call));
}

TEST_F(CallGrammarTest, AToolWhoseSchemaCannotBeEnforcedLeavesTheOthersAlone) {
  offer_.choice = ToolChoice::required;
  offer_.tools.push_back(std::make_shared<ToyTool>(
      "remote", "", R"({"type":"object","properties":{"a":{"$ref":"http://a.example/x"}}})", true));
  EXPECT_TRUE(admits("llama-3", R"({"name": "remote", "arguments": {"a": [1]}})"));
  EXPECT_FALSE(admits("llama-3", R"({"name": "get_weather", "arguments": {}})"));
}

TEST_F(CallGrammarTest, MarkersAreWhatStandsInCallsOnly) {
  using Texts = std::vector<std::string>;
  const auto markers = [](const char* format) { return call_markers(*calls::find_call_format(format)); };
  EXPECT_EQ(markers("hermes"), Texts{"<tool_call>"});
  EXPECT_EQ(markers("qwen3-coder"), (Texts{"<tool_call>", "<function="}));
  EXPECT_EQ(markers("mistral"), Texts{"[TOOL_CALLS]"});
  EXPECT_EQ(markers("phi-4-mini"), Texts{"<|tool_call|>"}) << "functools is a module of Python";
  EXPECT_EQ(markers("functionary-v3.2"), Texts()) << "so is the prompt of its shell";
  EXPECT_EQ(markers("harmony"), Texts{"to=functions."}) << "its channels carry prose as well";
}

TEST_F(CallGrammarTest, TheKeyTellsApartWhatTheGrammarDependsOn) {
  std::vector<std::string> keys;
  const auto note = [&] { keys.push_back(call_grammar_key(offer_, reading_, start_)); };
  note();
  offer_.choice = ToolChoice::required;
  note();
  offer_.max_calls = 9;
  note();
  offer_.parallel = false;
  note();
  start_ = calls::ReasoningStart::opened;
  note();
  reading_.reasoning = Reasoning::possible;
  note();
  reading_.format = calls::find_call_format("mistral");
  note();
  offer_.tools = toy_tools(false);
  note();
  offer_.tools.pop_back();
  note();
  for (std::size_t i = 0; i < keys.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) EXPECT_NE(keys[i], keys[j]) << i << " " << j;
  }
  note();
  EXPECT_EQ(keys.back(), keys[keys.size() - 2]);
}

}  // namespace
}  // namespace parley::orchestration::turn
