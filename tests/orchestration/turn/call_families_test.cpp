// Every family's calls, as its models write them, against what is enforced: right calls pass and are read
// back as they were meant, wrong ones are refused, and whatever passes is valid.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <optional>
#include <random>
#include <set>
#include <sstream>

#include "inference/grammar/token_constraint.h"
#include "inference/json/json_writer.h"
#include "inference/json_schema/schema.h"
#include "orchestration/turn/call_grammar.h"
#include "tests/orchestration/calls/family_cases.h"
#include "tests/orchestration/turn/family_tokenizer.h"
#include "tests/orchestration/turn/toy_text.h"
#include "tests/orchestration/turn/toy_tool.h"

namespace parley::orchestration::turn {
namespace {

using calls::CallFormat;
using calls::WrittenOutput;
using inference::grammar::TokenConstraint;
using inference::grammar::VocabularyIndex;
using inference::json::JsonObject;
using inference::json::JsonValue;
using Ids = std::vector<std::int32_t>;

std::vector<std::shared_ptr<tools::Tool>> strict_tools(const std::vector<calls::OfferedTool>& offered) {
  std::vector<std::shared_ptr<tools::Tool>> tools;
  for (const auto& tool : offered) {
    tools.push_back(
        std::make_shared<ToyTool>(tool.name, "", inference::json::to_json_text(tool.parameters), true));
  }
  return tools;
}

// One family, one vocabulary.
class Family {
 public:
  Family(const std::string& name, const std::vector<calls::OfferedTool>& tools, ToolChoice choice,
         MarkerTokens kind = MarkerTokens::none)
      : format_(*calls::find_call_format(name)),
        tokenizer_(format_, kind),
        vocabulary_(std::make_shared<const VocabularyIndex>(tokenizer_)) {
    ToolOffer offer;
    offer.tools = strict_tools(tools);
    offer.choice = choice;
    CallReading reading;
    reading.format = &format_;
    reading.reasoning = Reasoning::possible;
    CallGrammar made = make_call_grammar(offer, reading, calls::ReasoningStart::model_opens, *vocabulary_);
    unenforced_ = std::move(made.unenforced);
    if (made.grammar) constraint_ = inference::grammar::make_constraint(std::move(made.grammar), vocabulary_);
  }

  bool is_enforced() const { return constraint_ != nullptr; }
  const std::vector<std::string>& unenforced() const { return unenforced_; }
  std::unique_ptr<TokenConstraint> begin() const { return constraint_->clone(); }

  // The part of the text that is allowed, behind which something else has to come.
  std::string walk(std::string_view text) const {
    const auto walked = begin();
    Ids allowed;
    for (const std::int32_t id : tokenizer_.encode_generated(text)) {
      if (!walked->allows(id)) return tokenizer_.decode(allowed, true);
      walked->accept(id);
      allowed.push_back(id);
    }
    return walked->allows(kToyStop) ? std::string(text) + "$" : std::string(text);
  }
  bool admits(std::string_view text) const { return walk(text) == std::string(text) + "$"; }

 private:
  const CallFormat format_;
  const FamilyTokenizer tokenizer_;
  const std::shared_ptr<const VocabularyIndex> vocabulary_;
  std::vector<std::string> unenforced_;
  std::unique_ptr<TokenConstraint> constraint_;
};

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
    const Family family(name, calls::sample_tools(), ToolChoice::automatic);
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
      const Family family(name, calls::sample_tools(), ToolChoice::automatic, kind);
      for (const calls::FamilyCase& c : calls::family_cases()) {
        if (c.name == "closing tag inside a string") continue;  // there a marker is text, and not the token
        const std::string text = calls::write_output(name, c.output);
        EXPECT_EQ(family.walk(text), text + "$") << name << ": " << c.name << " " << static_cast<int>(kind);
      }
    }
  }
}

TEST(CallFamilies, ADemandedCallPassesAndIsReadBack) {
  for (const std::string& name : calls::written_families()) {
    const Family family(name, calls::sample_tools(), ToolChoice::required);
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
      const Family family(name, calls::sample_tools(), ToolChoice::required, kind);
      for (const WrongCall& wrong : kWrongCalls) {
        const std::string text = demanded_text(name, {{wrong.name, calls::object(wrong.arguments)}});
        EXPECT_FALSE(family.admits(text)) << name << ": " << wrong.what;
      }
    }
  }
}

TEST(CallFamilies, AWrongCallIsRefusedInProse) {
  for (const std::string& name : calls::written_families()) {
    const Family family(name, calls::sample_tools(), ToolChoice::automatic);
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
    const Family family(name, calls::sample_tools(), ToolChoice::automatic);
    const std::string begin = name == "functionary-v3.2" ? "all\n" : "";
    const std::string call = R"({"name": "get_weather", "arguments": {"city": )";
    EXPECT_TRUE(family.admits(begin + call + "\"x\"}}")) << name;
    EXPECT_EQ(family.walk(begin + call + "3}}"), begin + call) << name;
  }
}

// Texts in which much could be markup, and in the end the call is complete.
class RandomCalls {
 public:
  RandomCalls(const CallFormat& format, std::uint64_t seed) : random_(seed) {
    closers_ = format.reasoning_close;
    if (format.encoding == calls::Encoding::channels) closers_.emplace_back("<|end|><|start|>assistant");
    for (const std::string& close : format.argument.value_close) closers_.push_back("\n" + close + "\n");
    for (const calls::Markers* some :
         {&format.argument.value_close, &format.call_close, &format.section_close, &format.quote,
          &format.argument.open, &format.call_open, &format.name_end}) {
      closers_.insert(closers_.end(), some->begin(), some->end());
    }
    for (const char* text : {"\"", "'", "}", "]", ")", "\n```", ",", ":", "true", "null", "5"})
      closers_.emplace_back(text);
  }

  std::optional<std::string> text(std::unique_ptr<TokenConstraint> constraint) {
    std::string text;
    for (int step = 0; step < 3000; ++step) {
      const bool may_end = constraint->allows(kToyStop);
      if (may_end && (constraint->is_complete() || step > kPatience || random_() % 3 == 0)) return text;
      const std::string* closer = step > kPatience ? fitting_closer(*constraint) : any_closer(*constraint);
      const std::string piece = closer != nullptr ? *closer : any_byte(*constraint);
      if (piece.empty()) return std::nullopt;
      for (const char byte : piece) constraint->accept(static_cast<std::uint8_t>(byte));
      text += piece;
    }
    return std::nullopt;
  }

 private:
  static constexpr int kPatience = 120;

  static bool fits(const TokenConstraint& constraint, const std::string& text) {
    const auto walked = constraint.clone();
    for (const char byte : text) {
      if (!walked->allows(static_cast<std::uint8_t>(byte))) return false;
      walked->accept(static_cast<std::uint8_t>(byte));
    }
    return true;
  }
  // One of those that fit: none of them ends everything.
  const std::string* fitting_closer(const TokenConstraint& constraint) {
    std::vector<const std::string*> fitting;
    for (const std::string& closer : closers_) {
      if (fits(constraint, closer)) fitting.push_back(&closer);
    }
    return fitting.empty() ? nullptr : fitting[random_() % fitting.size()];
  }
  const std::string* any_closer(const TokenConstraint& constraint) {
    if (random_() % 3 != 0) return nullptr;
    const std::string& closer = closers_[random_() % closers_.size()];
    return fits(constraint, closer) ? &closer : nullptr;
  }
  std::string any_byte(TokenConstraint& constraint) {
    std::array<std::uint64_t, 8> mask{};
    constraint.fill_mask(mask);
    std::string bytes;
    for (int byte = 0; byte < 256; ++byte) {
      const bool is_there = (mask[static_cast<std::size_t>(byte) / 64] >> (byte % 64) & 1) != 0;
      if (is_there) bytes += static_cast<char>(byte);
    }
    if (bytes.empty()) return {};
    return std::string(1, bytes[random_() % bytes.size()]);
  }

  std::mt19937_64 random_;
  std::vector<std::string> closers_;
};

std::vector<calls::OfferedTool> search_tools() {
  return {calls::offered("search", R"({"type":"object","properties":{
              "query":{"type":"string"},"limit":{"type":"integer","minimum":0,"maximum":50},
              "mode":{"enum":["fast","slow"]},"flag":{"type":["boolean","null"]},
              "tags":{"type":"array","items":{"type":"string"},"maxItems":3},
              "day":{"type":"string","format":"date"},
              "place":{"type":"object","properties":{"x":{"type":"number"},"name":{"type":"string"}},
                       "required":["x"],"additionalProperties":false}},
              "required":["query","limit"],"additionalProperties":false})"),
          calls::offered("now", R"({"type":"object","properties":{},"additionalProperties":false})")};
}

// What is wrong with a text that the constraint let pass; nothing if it is calls of the tools.
std::string find_wrong(const std::string& family, const std::string& text,
                       const std::vector<calls::OfferedTool>& tools) {
  calls::ParserOptions options;
  options.tools = tools;
  const auto parser = calls::make_call_parser(*calls::find_call_format(family), std::move(options));
  calls::ReadOutput read;
  read.add(parser->push(0, text));
  read.add(parser->finish(calls::AnswerEnd::complete));
  if (read.calls.empty()) return "no call";
  if (read.content.find_first_not_of(" \n\t\r") != std::string::npos) return "prose: " + read.content;
  for (const calls::ReadCall& call : read.calls) {
    if (!call.error.empty()) return call.error;
    const auto tool =
        std::find_if(tools.begin(), tools.end(), [&](const auto& one) { return one.name == call.name; });
    if (tool == tools.end()) return "the tool " + call.name;
    const auto schema = inference::json_schema::Schema::compile(tool->parameters);
    const JsonValue arguments = calls::object(call.arguments);
    if (!std::get<inference::json_schema::Schema>(schema).validate(arguments).empty()) return call.arguments;
  }
  return {};
}

bool thinks(const std::string& text, const CallFormat& format) {
  if (text.find("analysis") != std::string::npos) return true;  // harmony
  return std::any_of(format.reasoning_open.begin(), format.reasoning_open.end(),
                     [&](const auto& open) { return text.find(open) != std::string::npos; });
}

TEST(CallFamilies, WhateverPassesIsReadAsValidCalls) {
  const auto tools = search_tools();
  int num_checked = 0;
  std::set<std::string> wrong;
  for (const std::string& name : calls::written_families()) {
    const Family family(name, tools, ToolChoice::required);
    ASSERT_TRUE(family.unenforced().empty()) << name;
    const CallFormat& format = *calls::find_call_format(name);
    RandomCalls random(format, 11);
    for (int i = 0; i < 40; ++i) {
      const auto text = random.text(family.begin());
      ASSERT_TRUE(text) << name << ": no end";
      // TODO(calls): a family's markers within what its model thinks are still read as markers.
      if (thinks(*text, format)) continue;
      ++num_checked;
      if (!find_wrong(name, *text, tools).empty()) wrong.insert(name);
    }
  }
  EXPECT_GT(num_checked, 400);
  // TODO(calls): an argument of theirs that holds what looks like an end of the family is read as ended
  // there.
  EXPECT_EQ(wrong, std::set<std::string>(
                       {"deepseek-v3.2", "deepseek-v4", "glm-4.5", "llama-3", "qwen3-coder", "seed-oss"}));
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
    const Family family(std::string(golden.at("format").get_string()), calls::sample_tools(),
                        ToolChoice::automatic);
    const std::string output(golden.at("output").get_string());
    EXPECT_TRUE(family.walk(output).starts_with(output)) << output;
    num_calls += golden.at("calls").get_array().size();
  }
  EXPECT_GE(num_calls, 20u);
}

}  // namespace
}  // namespace parley::orchestration::turn
