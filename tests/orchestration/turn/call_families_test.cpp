// Every family's calls, as its models write them, against what is enforced: right calls pass and are read
// back as they were meant, and wrong ones are refused.

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "tests/orchestration/calls/family_cases.h"
#include "tests/orchestration/turn/family_constraint.h"

namespace parley::orchestration::turn {
namespace {

using inference::json::JsonObject;
using inference::json::JsonValue;

std::string replaced(std::string text, std::string_view from, std::string_view to) {
  for (std::size_t at = text.find(from); at != text.npos; at = text.find(from, at + to.size())) {
    text.replace(at, from.size(), to);
  }
  return text;
}

// As an answer that has to call: nothing before, white space of one character, and no token that ends.
std::string demanded_text(const std::string& family, std::vector<calls::WrittenCall> written) {
  std::string text = calls::write_output(family, {.calls = std::move(written)});
  text = replaced(std::move(text), "\n    ", "\n");
  return family == "harmony" ? replaced(std::move(text), "<|call|>", "") : text;
}

void expect_read_back(const std::string& family, const std::string& text,
                      const std::vector<calls::WrittenCall>& written) {
  const calls::ReadOutput read = calls::read_pieces(family, {text});
  ASSERT_EQ(read.calls.size(), written.size());
  for (std::size_t i = 0; i < written.size(); ++i) {
    EXPECT_EQ(read.calls[i].name, written[i].name);
    EXPECT_EQ(read.calls[i].error, "");
    EXPECT_EQ(JsonValue(calls::object(read.calls[i].arguments)), JsonValue(written[i].arguments));
  }
}

TEST(CallFamilies, WhatTheirModelsWriteInProsePasses) {
  for (const std::string& name : calls::written_families()) {
    const FamilyConstraint family(name, calls::sample_tools(), ToolChoice::automatic);
    ASSERT_TRUE(family.is_enforced()) << name;
    EXPECT_TRUE(family.unenforced().empty()) << name << ": " << family.unenforced().front();
    for (const calls::FamilyCase& c : calls::family_cases()) {
      const std::string text = calls::write_output(name, c.output);
      EXPECT_EQ(family.walk(text), text + "$") << name << ": " << c.name;
    }
  }
}

TEST(CallFamilies, WhatTheirModelsWriteWithTokensForMarkersPasses) {
  for (const std::string& name : calls::written_families()) {
    for (const MarkerTokens kind : {MarkerTokens::control, MarkerTokens::user_defined}) {
      const FamilyConstraint family(name, calls::sample_tools(), ToolChoice::automatic, kind);
      for (const calls::FamilyCase& c : calls::family_cases()) {
        if (c.name.starts_with("closing tag")) continue;  // there a marker is text, and not the token
        const std::string text = calls::write_output(name, c.output);
        EXPECT_EQ(family.walk(text), text + "$") << name << ": " << c.name << " " << static_cast<int>(kind);
      }
    }
  }
}

TEST(CallFamilies, ADemandedCallPassesAndIsReadBack) {
  for (const std::string& name : calls::written_families()) {
    const FamilyConstraint family(name, calls::sample_tools(), ToolChoice::required);
    for (const calls::FamilyCase& c : calls::family_cases()) {
      const bool is_too_much = name == "harmony" && c.output.calls.size() > 1;  // one ends the turn
      if (c.output.calls.empty() || is_too_much) continue;
      SCOPED_TRACE(name + ": " + c.name);
      const std::string text = demanded_text(name, c.output.calls);
      EXPECT_EQ(family.walk(text), text + "$");
      expect_read_back(name, text, c.output.calls);
    }
    EXPECT_FALSE(family.admits("Hello")) << name;
    EXPECT_FALSE(family.admits("")) << name;
  }
}

struct WrongCall {
  const char* what;
  const char* name;
  const char* arguments;
};
constexpr WrongCall kWrongCalls[] = {
    {"a name that was not offered", "get_whether", R"({"city": "x"})"},
    {"a wrong type", "get_weather", R"({"city": "x", "days": "three"})"},
    {"a wrong type among several", "get_weather", R"({"city": "x", "limit": true})"},
    {"a required argument left out", "get_weather", R"({"days": 3})"},
    {"no arguments where one is required", "get_weather", R"({})"},
    {"an argument that there is not", "get_weather", R"({"city": "x", "town": "y"})"},
    {"arguments of another tool", "now", R"({"city": "x"})"},
};

TEST(CallFamilies, AWrongCallIsRefusedWhereACallIsDemanded) {
  for (const std::string& name : calls::written_families()) {
    for (const MarkerTokens kind : {MarkerTokens::none, MarkerTokens::control}) {
      const FamilyConstraint family(name, calls::sample_tools(), ToolChoice::required, kind);
      for (const WrongCall& wrong : kWrongCalls) {
        const std::string text = demanded_text(name, {{wrong.name, calls::object(wrong.arguments)}});
        EXPECT_FALSE(family.admits(text)) << name << ": " << wrong.what;
      }
    }
  }
}

TEST(CallFamilies, AWrongCallIsRefusedInProse) {
  for (const std::string& name : calls::written_families()) {
    const FamilyConstraint family(name, calls::sample_tools(), ToolChoice::automatic);
    for (const WrongCall& wrong : kWrongCalls) {
      // Without markers a call is one by its name: any other is text, or a try that is not shown.
      const bool has_no_marker = name == "llama-3" || name == "lfm2.5";
      if (has_no_marker && std::string(wrong.name) == "get_whether") continue;
      const std::string text =
          calls::write_output(name, {.prose = name == "functionary-v3.2" ? "" : "So:",
                                     .calls = {{wrong.name, calls::object(wrong.arguments)}}});
      EXPECT_FALSE(family.admits(text)) << name << ": " << wrong.what;
      EXPECT_LT(family.walk(text).size(), text.size()) << name << ": " << wrong.what;
    }
  }
}

TEST(CallFamilies, ACallWithoutTheFamilysMarkersIsHeldToTheSchemaToo) {
  for (const std::string& name : calls::written_families()) {
    const FamilyConstraint family(name, calls::sample_tools(), ToolChoice::automatic);
    const std::string begin = name == "functionary-v3.2" ? "all\n" : "";
    const std::string call = R"({"name": "get_weather", "arguments": {"city": )";
    EXPECT_TRUE(family.admits(begin + call + "\"x\"}}")) << name;
    EXPECT_EQ(family.walk(begin + call + "3}}"), begin + call) << name;
  }
}

TEST(CallFamilies, RealTemplatesCallsPass) {
  std::ifstream file("tests/goldens/calls/calls.json");
  std::stringstream read;
  read << file.rdbuf();
  const std::string goldens = read.str();
  const auto parsed = inference::json::parse_json(goldens, {.max_bytes = goldens.size()});
  std::size_t num_calls = 0;
  for (const JsonValue& value : std::get<JsonValue>(parsed).get_array()) {
    const JsonObject& golden = value.get_object();
    const FamilyConstraint family(std::string(golden.at("format").get_string()), calls::sample_tools(),
                                  ToolChoice::automatic);
    const std::string output(golden.at("output").get_string());
    EXPECT_TRUE(family.walk(output).starts_with(output)) << output;
    num_calls += golden.at("calls").get_array().size();
  }
  EXPECT_GE(num_calls, 20u);
}

}  // namespace
}  // namespace parley::orchestration::turn
