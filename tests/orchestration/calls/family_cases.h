#pragma once
// The things that every family has to say right, and what an output says in the end.

#include <string>
#include <utility>
#include <vector>

#include "tests/orchestration/calls/family_writer.h"
#include "tests/orchestration/calls/parse_helper.h"

namespace parley::orchestration::calls {

inline inference::json::JsonObject object(std::string_view json) {
  return std::get<inference::json::JsonValue>(inference::json::parse_json(json, {.max_bytes = 1 << 22}))
      .get_object();
}

struct FamilyCase {
  std::string name;
  WrittenOutput output;
};

inline std::vector<FamilyCase> family_cases() {
  const WrittenCall weather{"get_weather", object(R"({"city": "Paris \"Sud\" it's", "days": 3})")};
  const WrittenCall sum{"calculator", object(R"({"expression": "1 < 2 && a > b, (x) [y] {z}"})")};
  const WrittenCall now{"now", {}};
  const WrittenCall nested{"get_weather", object(R"({"city": "x", "days": -2, "detailed": true, "limit": null,
      "places": [1, "two", [3.5, {"four": []}]], "options": {"a": {"b": [false, null, "c"]}, "d": {}}})")};
  const WrittenCall unicode{"get_weather", object(R"({"city": "Zürich 東京 👩‍👩‍👧 é"})")};
  const WrittenCall closing{
      "calculator",
      object(
          R"({"expression": "say </tool_call> and </parameter> and </function> or\n</arg_value> </invoke> [ARGS] \\ <|tool_call_end|> <tool_call|> ``` </｜DSML｜parameter> </tool_calls> of it"})")};
  const WrittenCall nested_closing{
      "get_weather",
      object(
          R"({"city": "x", "places": ["</parameter>\n</function>\n</tool_call>", {"k": "</parameter><parameter="}, "</arg_value></tool_call>"],
              "options": {"a": "</arg_value><arg_key>", "b": ["</parameter>\n</invoke>", "</｜DSML｜parameter></｜DSML｜invoke>"]}})")};
  return {{"one call", {.calls = {weather}}},
          {"two calls", {.calls = {weather, sum}}},
          {"prose and call", {.prose = "Let me look.", .calls = {weather}}},
          {"reasoning and call", {.reasoning = "I need the weather.", .calls = {weather}}},
          {"reasoning, prose, two calls", {.reasoning = "Hm: a < b.", .prose = "Both:", .calls = {now, sum}}},
          {"no arguments", {.calls = {now}}},
          {"nested", {.calls = {nested}}},
          {"unicode", {.calls = {unicode}}},
          {"closing tag inside a string", {.calls = {closing, now}}},
          {"closing tags inside nested strings", {.calls = {nested_closing, now}}},
          {"prose alone", {.prose = "Fine weather, 1 < 2 and [a] {b} `c` <d>."}}};
}

struct ReadCall {
  std::string name;
  std::string arguments;
  std::string error;
  bool ended = false;
};

// What the events say.
struct ReadOutput {
  std::string content;
  std::string reasoning;
  std::vector<ReadCall> calls;
  bool is_ordered = true;  // each call begins, goes on and ends under its own index

  void add(const std::vector<CallEvent>& events) {
    for (const CallEvent& event : events) std::visit([this](const auto& one) { add_one(one); }, event);
  }

 private:
  bool is_open(int index) const {
    return !calls.empty() && !calls.back().ended && index + 1 == std::ssize(calls);
  }
  void add_one(const ContentDelta& e) { content += e.text; }
  void add_one(const ReasoningDelta& e) { reasoning += e.text; }
  void add_one(const CallBegin& e) {
    is_ordered = is_ordered && e.index == std::ssize(calls) && (calls.empty() || calls.back().ended);
    calls.push_back({e.name, {}, {}, false});
  }
  void add_one(const ArgumentsDelta& e) {
    is_ordered = is_ordered && is_open(e.index);
    if (!calls.empty()) calls.back().arguments += e.json;
  }
  void add_one(const CallEnd& e) {
    is_ordered = is_ordered && is_open(e.index);
    if (calls.empty()) return;
    calls.back().error = e.error;
    calls.back().ended = true;
  }
  void add_one(const CallPending&) {}
  void add_one(const UnknownLenientCall&) {}
};

inline ReadOutput read_pieces(const std::string& family, const std::vector<std::string_view>& pieces) {
  const auto parser = make_call_parser(*find_call_format(family), options_of({}));
  ReadOutput output;
  for (const std::string_view piece : pieces) output.add(parser->push(0, piece));
  output.add(parser->finish(AnswerEnd::complete));
  return output;
}

}  // namespace parley::orchestration::calls
