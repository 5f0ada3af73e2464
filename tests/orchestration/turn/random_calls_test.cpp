// Whatever the constraint of a family lets pass has to be calls that its parser reads, valid by the schema.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <optional>
#include <random>

#include "inference/json_schema/schema.h"
#include "tests/orchestration/calls/family_cases.h"
#include "tests/orchestration/calls/random_arguments.h"
#include "tests/orchestration/turn/family_constraint.h"

namespace parley::orchestration::turn {
namespace {

using calls::CallFormat;
using inference::grammar::TokenConstraint;
using inference::json::JsonObject;
using inference::json::JsonValue;

using Ids = std::vector<std::int32_t>;

// Outputs in which much could be markup, and in the end the call is complete.
class RandomCallText {
 public:
  RandomCallText(const FamilyConstraint& family, const CallFormat& format, std::uint64_t seed)
      : family_(family), random_(seed) {
    std::vector<std::string> closers = calls::markers_of(format);
    if (format.encoding == calls::Encoding::channels) closers.emplace_back("<|end|><|start|>assistant");
    for (const std::string& close : format.argument.value_close) closers.push_back("\n" + close + "\n");
    for (const char* text : {"\"", "'", "}", "]", ")", "\n```", ",", ":", "true", "null", "5"})
      closers.emplace_back(text);
    for (const std::string& closer : closers) closers_.push_back(family.tokenizer().encode_generated(closer));
  }

  std::optional<Ids> next() {
    const auto constraint = family_.begin();
    Ids ids;
    for (int step = 0; step < 20000; ++step) {
      const bool may_end = constraint->allows(kToyStop);
      if (may_end && (constraint->is_complete() || step > kPatience || random_() % 3 == 0)) return ids;
      const Ids* closer = step > kPatience ? fitting_closer(*constraint) : any_closer(*constraint);
      const Ids piece = closer != nullptr ? *closer : any_token(*constraint);
      if (piece.empty()) return std::nullopt;
      for (const std::int32_t id : piece) constraint->accept(id);
      ids.insert(ids.end(), piece.begin(), piece.end());
    }
    return std::nullopt;
  }

 private:
  static constexpr int kPatience = 120;

  static bool fits(const TokenConstraint& constraint, const Ids& ids) {
    const auto walked = constraint.clone();
    for (const std::int32_t id : ids) {
      if (!walked->allows(id)) return false;
      walked->accept(id);
    }
    return true;
  }
  // One of those that fit: none of them ends everything.
  const Ids* fitting_closer(const TokenConstraint& constraint) {
    std::vector<const Ids*> fitting;
    for (const Ids& closer : closers_) {
      if (fits(constraint, closer)) fitting.push_back(&closer);
    }
    return fitting.empty() ? nullptr : fitting[random_() % fitting.size()];
  }
  const Ids* any_closer(const TokenConstraint& constraint) {
    if (random_() % 3 != 0) return nullptr;
    const Ids& closer = closers_[random_() % closers_.size()];
    return fits(constraint, closer) ? &closer : nullptr;
  }
  Ids any_token(TokenConstraint& constraint) {
    std::array<std::uint64_t, 8> mask{};
    constraint.fill_mask(mask);
    Ids allowed;
    for (std::int32_t id = 0; id < family_.tokenizer().vocab_size(); ++id) {
      const bool is_there = (mask[static_cast<std::size_t>(id) / 64] >> (id % 64) & 1) != 0;
      // No UTF-8 holds 0xFF, so that it stands for tokens.
      // TODO(grammar): 0x80 as the first byte of what is thought counts as the token that ends it.
      const bool is_text = id != 0xFF && id != 0x80;
      if (is_there && is_text && id != kToyStop) allowed.push_back(id);
    }
    if (allowed.empty()) return {};
    return {allowed[random_() % allowed.size()]};
  }

  const FamilyConstraint& family_;
  std::mt19937_64 random_;
  std::vector<Ids> closers_;
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

calls::ReadOutput read_generated(const FamilyConstraint& family, const CallFormat& format, const Ids& ids,
                                 const std::vector<calls::OfferedTool>& tools) {
  calls::ParserOptions options;
  options.tools = tools;
  options.vocabulary = calls::marker_vocabulary(family.tokenizer());
  const auto parser = calls::make_call_parser(format, std::move(options));
  calls::ReadOutput output;
  for (const std::int32_t id : ids) output.add(parser->push(id, family.tokenizer().token_bytes(id)));
  output.add(parser->finish(calls::AnswerEnd::complete));
  return output;
}

// What is wrong with what was read where the constraint let it pass; nothing if it is calls of the tools.
std::string find_wrong(const calls::ReadOutput& read, const std::vector<calls::OfferedTool>& tools) {
  if (read.calls.empty()) return "no call";
  if (read.content.find_first_not_of(" \n\t\r") != std::string::npos) return "prose: " + read.content;
  for (const calls::ReadCall& call : read.calls) {
    if (!call.error.empty()) return call.error;
    const auto tool =
        std::find_if(tools.begin(), tools.end(), [&](const auto& one) { return one.name == call.name; });
    if (tool == tools.end()) return "the tool " + call.name;
    const auto parsed = inference::json::parse_json(call.arguments, {.max_bytes = 1 << 20});
    const auto* arguments = std::get_if<JsonValue>(&parsed);
    if (arguments == nullptr) return "no JSON: " + call.arguments;
    const auto schema = inference::json_schema::Schema::compile(tool->parameters);
    if (!std::get<inference::json_schema::Schema>(schema).validate(*arguments).empty()) return call.arguments;
  }
  return {};
}

TEST(RandomCalls, WhateverPassesIsReadAsValidCalls) {
  const auto tools = search_tools();
  for (const std::string& name : calls::written_families()) {
    for (const MarkerTokens kind : {MarkerTokens::none, MarkerTokens::control, MarkerTokens::user_defined}) {
      const CallFormat& format = *calls::find_call_format(name);
      // TODO(grammar): tokens that end a message of harmony's are let pass within what is thought.
      if (format.encoding == calls::Encoding::channels && kind != MarkerTokens::none) continue;
      const FamilyConstraint family(name, tools, ToolChoice::required, kind);
      ASSERT_TRUE(family.unenforced().empty()) << name;
      RandomCallText random(family, format, 11);
      for (int i = 0; i < 40; ++i) {
        const auto ids = random.next();
        ASSERT_TRUE(ids) << name << ": no end";
        const std::string wrong = find_wrong(read_generated(family, format, *ids, tools), tools);
        EXPECT_EQ(wrong, "") << name << " " << static_cast<int>(kind) << ":\n"
                             << family.tokenizer().decode(*ids, true);
      }
    }
  }
}

// A value that ends with its own closing tag is read as one whose tag was written twice, as models do.
// TODO(grammar): refuse such values; the constraint still lets them pass.
bool ends_with_its_tag(const JsonValue& value, const CallFormat& format) {
  if (!value.is_string()) return false;
  std::string text(value.get_string());
  while (!text.empty() && calls::is_space(text.back())) text.pop_back();
  const calls::Markers& closes = format.argument.value_close;
  return std::any_of(closes.begin(), closes.end(), [&](const auto& close) { return text.ends_with(close); });
}

TEST(RandomCalls, WhateverPassesIsReadAsItWasMeant) {
  const auto tools = calls::sample_tools();
  int num_passed = 0;
  for (const std::string& name : calls::written_families()) {
    const FamilyConstraint family(name, tools, ToolChoice::automatic);
    const CallFormat& format = *calls::find_call_format(name);
    // A quote in a string without escapes may end it, and the rest be prose.
    std::vector<std::string> markers = calls::markers_of(format);
    std::erase_if(markers, [&](const std::string& marker) {
      return std::find(format.quote.begin(), format.quote.end(), marker) != format.quote.end();
    });
    calls::RandomText random(markers, 5);
    for (int i = 0; i < 200; ++i) {
      const JsonObject arguments = calls::random_arguments(random);
      const std::string text =
          calls::write_output(name, {.calls = {{"get_weather", arguments}, {"now", {}}}});
      if (!family.admits(text) || ends_with_its_tag(arguments.at("city"), format)) continue;
      ++num_passed;
      const auto output = read_generated(family, format, family.tokenizer().encode_generated(text), tools);
      ASSERT_EQ(output.calls.size(), 2u) << name << ":\n" << text;
      EXPECT_EQ(output.calls[0].error + output.calls[1].error, "") << text;
      EXPECT_EQ(JsonValue(calls::object(output.calls[0].arguments)), JsonValue(arguments)) << text;
    }
  }
  EXPECT_GT(num_passed, 5000);
}

}  // namespace
}  // namespace parley::orchestration::turn
