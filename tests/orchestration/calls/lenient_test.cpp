// Calls without markers, both ways: what is one, and what stays prose.

#include <gtest/gtest.h>

#include "orchestration/calls/lenient_reader.h"
#include "tests/orchestration/calls/parse_helper.h"

namespace parley::orchestration::calls {
namespace {

enum class Outcome { call, prose, unknown };

struct LenientCase {
  const char* name;
  Outcome outcome;
  const char* text;
  const char* expected = "";  // names and arguments of the calls; else the content before the block
};

constexpr const char* kParis = R"(get_weather {"city": "Paris"})";

const LenientCase kCases[] = {
    // Calls.
    {"bare object", Outcome::call, R"({"name": "get_weather", "arguments": {"city": "Paris"}})", kParis},
    {"parameters for arguments", Outcome::call, R"({"name": "get_weather", "parameters": {"city": "Paris"}})",
     kParis},
    {"arguments first", Outcome::call, R"({"arguments": {"city": "Paris"}, "name": "get_weather"})", kParis},
    {"no space", Outcome::call, R"({"name":"get_weather","arguments":{"city": "Paris"}})", kParis},
    {"over lines", Outcome::call,
     "{\n  \"name\": \"get_weather\",\n  \"arguments\": {\"city\": \"Paris\"}\n}", kParis},
    {"space before", Outcome::call,
     "\n\n  {\"name\": \"get_weather\", \"arguments\": {\"city\": \"Paris\"}}\n", kParis},
    {"json fence", Outcome::call,
     "```json\n{\"name\": \"get_weather\", \"arguments\": {\"city\": \"Paris\"}}\n```", kParis},
    {"plain fence", Outcome::call,
     "```\n{\"name\": \"get_weather\", \"arguments\": {\"city\": \"Paris\"}}\n```", kParis},
    {"tool_call fence", Outcome::call,
     "```tool_call\n{\"name\": \"get_weather\", \"arguments\": {\"city\": \"Paris\"}}\n```", kParis},
    {"unclosed fence", Outcome::call,
     "```json\n{\"name\": \"get_weather\", \"arguments\": {\"city\": \"Paris\"}}", kParis},
    {"unclosed fence and newline", Outcome::call,
     "```json\n{\"name\": \"get_weather\", \"arguments\": {\"city\": \"Paris\"}}\n", kParis},
    {"fence on one line", Outcome::call,
     "```json {\"name\": \"get_weather\", \"arguments\": {\"city\": \"Paris\"}} ```", kParis},
    {"echoed tools", Outcome::call,
     "<tools>\n{\"name\": \"get_weather\", \"arguments\": {\"city\": \"Paris\"}}\n</tools>", kParis},
    {"echoed tools unclosed", Outcome::call,
     "<tools>\n{\"name\": \"get_weather\", \"arguments\": {\"city\": \"Paris\"}}", kParis},
    {"doubled braces", Outcome::call, R"({{"name": "get_weather", "arguments": {"city": "Paris"}}})", kParis},
    {"doubled braces closed once", Outcome::call,
     R"({{"name": "get_weather", "arguments": {"city": "Paris"}})", kParis},
    {"doubled braces inside too", Outcome::call,
     R"({{"name": "get_weather", "arguments": {{"city": "Paris"}}}})", kParis},
    {"doubled braces in a fence", Outcome::call,
     "```json\n{{\"name\": \"get_weather\", \"arguments\": {\"city\": \"Paris\"}}}\n```", kParis},
    {"array of one", Outcome::call, R"([{"name": "get_weather", "arguments": {"city": "Paris"}}])", kParis},
    {"array of two", Outcome::call,
     R"([{"name": "get_weather", "arguments": {"city": "Paris"}}, {"name": "now", "arguments": {}}])",
     "get_weather {\"city\": \"Paris\"}; now {}"},
    {"array over lines", Outcome::call, "[\n  {\"name\": \"now\", \"arguments\": {}}\n]", "now {}"},
    {"array in a fence", Outcome::call, "```json\n[{\"name\": \"now\", \"arguments\": {}}]\n```", "now {}"},
    {"two on lines", Outcome::call,
     "{\"name\": \"now\", \"arguments\": {}}\n{\"name\": \"get_weather\", \"arguments\": {\"city\": "
     "\"Paris\"}}",
     "now {}; get_weather {\"city\": \"Paris\"}"},
    {"two on lines in a fence", Outcome::call,
     "```json\n{\"name\": \"now\", \"arguments\": {}}\n{\"name\": \"now\", \"arguments\": {}}\n```",
     "now {}; now {}"},
    {"two with a blank line", Outcome::call,
     "{\"name\": \"now\", \"arguments\": {}}\n\n{\"name\": \"now\", \"arguments\": {}}", "now {}; now {}"},
    {"response key", Outcome::call,
     R"({"name": "get_weather", "arguments": {"city": "Paris"}, "response": "It is"})", kParis},
    {"type first", Outcome::call,
     R"({"type": "function", "name": "get_weather", "parameters": {"city": "Paris"}})", kParis},
    {"id key", Outcome::call, R"({"id": 7, "name": "now", "arguments": {}})", "now {}"},
    {"unknown arguments stay", Outcome::call, R"({"name": "now", "arguments": {"required": ["a"]}})",
     R"(now {"required": ["a"]})"},
    {"nested", Outcome::call,
     R"({"name": "get_weather", "arguments": {"city": "P", "options": {"a": [1, {"b": null}]}}})",
     R"(get_weather {"city": "P", "options": {"a": [1, {"b": null}]}})"},
    {"braces in a string", Outcome::call,
     R"({"name": "calculator", "arguments": {"expression": "}}{\"```"}})",
     R"(calculator {"expression": "}}{\"```"})"},
    {"unicode", Outcome::call, R"({"name": "get_weather", "arguments": {"city": "Zürich 東京"}})",
     R"(get_weather {"city": "Zürich 東京"})"},
    {"raw newline in a string", Outcome::call,
     "{\"name\": \"calculator\", \"arguments\": {\"expression\": \"a\nb\"}}",
     R"(calculator {"expression": "a\nb"})"},
    {"last brace forgotten", Outcome::call, R"({"name": "get_weather", "arguments": {"city": "Paris"})",
     kParis},
    {"prose after it is ignored", Outcome::call, "{\"name\": \"now\", \"arguments\": {}}\nI called it.",
     "now {}"},
    {"prose after a fence is ignored", Outcome::call,
     "```json\n{\"name\": \"now\", \"arguments\": {}}\n```\nI called it.", "now {}"},
    {"a line after prose", Outcome::call, "Let me see.\n{\"name\": \"now\", \"arguments\": {}}",
     "Let me see.|now {}"},
    {"a fence after prose", Outcome::call,
     "Let me see:\n\n```json\n{\"name\": \"now\", \"arguments\": {}}\n```", "Let me see:|now {}"},
    {"spelled marker of another family", Outcome::call,
     "<tool_call>{\"name\": \"now\", \"arguments\": {}}</tool_call>", "now {}"},
    {"one of two is offered", Outcome::call,
     R"([{"name": "now", "arguments": {}}, {"name": "nope", "arguments": {}}])", "now {}; nope {}"},
    {"definition beside a call is prose, call alone", Outcome::call,
     "{\"name\": \"now\", \"arguments\": {\"type\": \"object\"}}", R"(now {"type": "object"})"},
    // Calls with names that were not offered.
    {"greeting", Outcome::unknown, R"({"name": "greeting", "arguments": {"name": "Bob"}})", "greeting"},
    {"greeting with doubled braces", Outcome::unknown, R"({{"name": "greeting", "arguments": {}}})",
     "greeting"},
    {"greeting in a fence", Outcome::unknown, "```json\n{\"name\": \"greeting\", \"arguments\": {}}\n```",
     "greeting"},
    {"greeting in a list", Outcome::unknown, R"([{"name": "greeting", "arguments": {}}])", "greeting"},
    {"case differs", Outcome::unknown, R"({"name": "Get_Weather", "arguments": {}})", "Get_Weather"},
    // Prose.
    {"plain", Outcome::prose, "The weather is fine."},
    {"person", Outcome::prose, R"({"name": "John Doe", "age": 30})"},
    {"name only", Outcome::prose, R"({"name": "get_weather"})"},
    {"arguments only", Outcome::prose, R"({"arguments": {"city": "Paris"}})"},
    {"arguments are a string", Outcome::prose, R"({"name": "get_weather", "arguments": "Paris"})"},
    {"arguments are a list", Outcome::prose, R"({"name": "get_weather", "arguments": ["Paris"]})"},
    {"arguments are null", Outcome::prose, R"({"name": "get_weather", "arguments": null})"},
    {"name is a number", Outcome::prose, R"({"name": 5, "arguments": {}})"},
    {"name is empty", Outcome::prose, R"({"name": "", "arguments": {}})"},
    {"definition", Outcome::prose, R"({"name": "now", "parameters": {"type": "object", "properties": {}}})"},
    {"echoed definition", Outcome::prose,
     "<tools>\n{\"type\": \"function\", \"function\": {\"name\": \"now\", \"parameters\": {}}}\n</tools>"},
    {"empty object", Outcome::prose, "{}"},
    {"empty list", Outcome::prose, "[]"},
    {"list of numbers", Outcome::prose, "[1, 2, 3]"},
    {"list with a person", Outcome::prose, R"([{"name": "John"}])"},
    {"list with one call and one person", Outcome::prose,
     R"([{"name": "now", "arguments": {}}, {"name": "John"}])"},
    {"list of a call and a text", Outcome::prose, R"([{"name": "now", "arguments": {}}, "x"])"},
    {"markdown link", Outcome::prose, "[see](http://a.b)"},
    {"footnote", Outcome::prose, "[1] A source."},
    {"python fence", Outcome::prose, "```python\n{\"name\": \"now\", \"arguments\": {}}\n```"},
    {"javascript fence", Outcome::prose, "```js\n{\"name\": \"now\", \"arguments\": {}}\n```\nDone."},
    {"jsonc fence", Outcome::prose, "```jsonc\n{\"name\": \"now\", \"arguments\": {}}\n```"},
    {"in the middle of a line", Outcome::prose, R"(Use {"name": "now", "arguments": {}} for it.)"},
    {"quoted", Outcome::prose, R"(`{"name": "now", "arguments": {}}`)"},
    {"broken JSON", Outcome::prose, R"({"name": "now", "arguments": {oops}})"},
    {"unfinished", Outcome::prose, R"({"name": "now", "argum)"},
    {"unfinished arguments", Outcome::prose, R"({"name": "get_weather", "arguments": {"city": "Par)"},
    {"single quotes", Outcome::prose, R"({'name': 'now', 'arguments': {}})"},
    {"set notation", Outcome::prose, "{1, 2} is a set."},
    {"template braces", Outcome::prose, "{{ user }} says hi"},
    {"code", Outcome::prose, "{\n  int a = 1;\n}"},
    {"json answer", Outcome::prose, "```json\n{\"city\": \"Paris\", \"temperature\": 20}\n```\nThat is it."},
    {"duplicate keys", Outcome::prose, R"({"name": "now", "name": "now", "arguments": {}})"},
    {"fence alone", Outcome::prose, "```"},
    {"fence and text", Outcome::prose, "```\nhello\n```\n"},
    {"tools word", Outcome::prose, "<tools> are useful"},
    {"list item", Outcome::prose, "- {\"name\": \"now\", \"arguments\": {}}"},
};

std::string calls_of(const std::vector<CallEvent>& events) {
  std::string text;
  std::string content;
  for (const CallEvent& event : events) {
    if (const auto* delta = std::get_if<ContentDelta>(&event)) content += delta->text;
    if (const auto* begin = std::get_if<CallBegin>(&event))
      text += (begin->index > 0 ? "; " : "") + begin->name + " ";
    if (const auto* part = std::get_if<ArgumentsDelta>(&event)) text += part->json;
    if (const auto* end = std::get_if<CallEnd>(&event)) text += end->error;
    if (const auto* unknown = std::get_if<UnknownLenientCall>(&event)) text += "?" + unknown->name;
  }
  return content.empty() ? text : content + "|" + text;
}

std::vector<CallEvent> parse_events(std::string_view text, std::size_t piece, CallDetection detection) {
  // A family with markers that no case has.
  const auto parser =
      make_call_parser(*find_call_format("nemotron-nano-v2"), options_of({.detection = detection}));
  std::vector<CallEvent> events;
  const auto add = [&events](std::vector<CallEvent> more) {
    for (CallEvent& event : more) events.push_back(std::move(event));
  };
  for (std::size_t i = 0; i < text.size(); i += piece) add(parser->push(0, text.substr(i, piece)));
  add(parser->finish(AnswerEnd::complete));
  return events;
}

std::string expected_of(const LenientCase& c) {
  if (c.outcome == Outcome::call) return c.expected;
  return c.outcome == Outcome::unknown ? "?" + std::string(c.expected) : std::string(c.text) + "|";
}

TEST(Lenient, TellsCallsFromProse) {
  static_assert(std::size(kCases) >= 60);
  for (const LenientCase& c : kCases) {
    for (const std::size_t piece : {std::size_t{1}, std::size_t{3}, std::size_t{100000}}) {
      EXPECT_EQ(calls_of(parse_events(c.text, piece, CallDetection::lenient)), expected_of(c))
          << c.name << " in " << piece;
    }
  }
}

TEST(Lenient, IsOffUnlessAskedFor) {
  for (const LenientCase& c : kCases) {
    for (const auto detection : {CallDetection::off, CallDetection::native}) {
      EXPECT_EQ(calls_of(parse_events(c.text, 2, detection)), std::string(c.text) + "|") << c.name;
    }
  }
}

TEST(Lenient, IsOffWithoutTools) {
  const ParseCase none{.detection = CallDetection::lenient, .tools = {}};
  EXPECT_EQ(parse(none, R"({"name": "now", "arguments": {}})"),
            R"(content: {"name": "now", "arguments": {}})");
}

TEST(Lenient, SaysWhenGenerationCanStop) {
  const auto parser =
      make_call_parser(*find_call_format("hermes"), options_of({.detection = CallDetection::lenient}));
  parser->push(0, "```json\n{\"name\": \"now\", \"arguments\": {}}\n``");
  EXPECT_FALSE(parser->closed());
  parser->push(0, "`");
  EXPECT_TRUE(parser->closed());
  EXPECT_TRUE(parser->push(0, "more").empty());
  EXPECT_TRUE(parser->finish(AnswerEnd::complete).empty());
}

TEST(Lenient, SaysThatACallIsBeingPrepared) {
  const auto parser =
      make_call_parser(*find_call_format("hermes"), options_of({.detection = CallDetection::lenient}));
  EXPECT_TRUE(parser->push(0, "``").empty());
  EXPECT_TRUE(parser->push(0, "`json\n").empty());
  const std::vector<CallEvent> events = parser->push(0, "{\"");
  ASSERT_EQ(events.size(), 1u);
  EXPECT_TRUE(std::holds_alternative<CallPending>(events.front()));
  EXPECT_TRUE(parser->push(0, "name\": \"now\"").empty());
}

TEST(Lenient, HoldsBackAtMost64KiB) {
  const std::string text =
      "{\"name\": \"now\", \"arguments\": {\"a\": \"" + std::string(kMaxHeldBytes, 'x') + "\"}}";
  const ParseCase lenient{.detection = CallDetection::lenient};
  EXPECT_EQ(parse(lenient, text), "pending\ncontent: " + text);
  EXPECT_EQ(parse_bytewise(lenient, text), "pending\ncontent: " + text);
}

TEST(Lenient, LooksAgainAfterABlockThatWasProse) {
  const ParseCase lenient{.detection = CallDetection::lenient};
  const std::string text = "```json\n{\"city\": \"Paris\"}\n```\n{\"name\": \"now\", \"arguments\": {}}";
  EXPECT_EQ(parse(lenient, text),
            "pending\ncontent: ```json\n{\"city\": \"Paris\"}\n```\npending\ncall 0 now\narguments 0: "
            "{}\nend 0 ok\n");
  EXPECT_EQ(parse_bytewise(lenient, text), parse(lenient, text));
}

TEST(Lenient, LeavesReasoningAlone) {
  const ParseCase lenient{.detection = CallDetection::lenient};
  EXPECT_EQ(parse(lenient, "<think>\n{\"name\": \"now\", \"arguments\": {}}\n</think>\n\nDone."),
            "reasoning: {\"name\": \"now\", \"arguments\": {}}\ncontent: Done.");
}

}  // namespace
}  // namespace parley::orchestration::calls
