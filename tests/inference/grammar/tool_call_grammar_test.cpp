#include "inference/grammar/tool_call_grammar.h"

#include <gtest/gtest.h>

#include "tests/inference/grammar/grammar_testing.h"

namespace parley::inference::grammar {
namespace {

class ToolCallGrammar : public testing::Test {
 protected:
  std::unique_ptr<TokenConstraint> make(const ToolCallOptions& options) {
    const auto made = make_tool_call_grammar(tools_, options, *vocabulary_.index());
    if (const auto* error = std::get_if<GrammarError>(&made)) ADD_FAILURE() << error->message;
    return make_constraint(std::get<SchemaGrammar>(made).grammar, vocabulary_.index());
  }
  bool feed_call(TokenConstraint& constraint) const {
    if (!constraint.allows(vocabulary_.call())) return false;
    constraint.accept(vocabulary_.call());
    if (!feed(constraint, "\n{\"name\": \"now\", \"arguments\": {}}\n")) return false;
    const bool closes = constraint.allows(vocabulary_.call_end());
    if (closes) constraint.accept(vocabulary_.call_end());
    return closes;
  }
  bool may_end(const TokenConstraint& constraint) const { return constraint.allows(vocabulary_.end()); }

  const SmallVocabulary vocabulary_;
  const json::JsonValue weather_ = parse_or_die(
      R"({"type":"object","properties":{"city":{"type":"string"},"days":{"type":"integer","maximum":9}},
          "required":["city"]})");
  const std::vector<OfferedTool> tools_{{"get_weather", &weather_}, {"now", nullptr}};
};

TEST_F(ToolCallGrammar, prose_is_free_until_the_marker) {
  auto constraint = make({});
  EXPECT_TRUE(feed(*constraint, "Any {\"text\": \"at all\", <tool {\"name\": \"John\"} \xFF"));
  EXPECT_TRUE(may_end(*constraint));
  EXPECT_TRUE(constraint->allows(vocabulary_.think()));
  constraint->accept(vocabulary_.call());
  EXPECT_FALSE(may_end(*constraint));
  EXPECT_FALSE(constraint->allows(vocabulary_.think()));
  EXPECT_FALSE(feed(*constraint->clone(), "\n{\"name\": \"other\""));
  EXPECT_FALSE(feed(*constraint->clone(), "\n{\"name\": \"now\", \"arguments\": {\"city\""));
  EXPECT_FALSE(feed(*constraint->clone(), "\n{\"name\": \"get_weather\", \"arguments\": {}"));
  EXPECT_TRUE(
      feed(*constraint,
           "\n{\"name\": \"get_weather\", \"arguments\": {\"days\": 3, \"city\": \"</tool_call>\"}}\n"));
  EXPECT_FALSE(may_end(*constraint));
  constraint->accept(vocabulary_.call_end());
  EXPECT_TRUE(may_end(*constraint));
  EXPECT_TRUE(feed(*constraint, " and prose again"));
}

TEST_F(ToolCallGrammar, wakes_at_the_marker_spelled_in_bytes_and_at_a_bare_opening) {
  auto spelled = make({});
  EXPECT_TRUE(feed(*spelled, "x<tool_call>"));
  EXPECT_FALSE(feed(*spelled, "y"));
  auto bare = make({});
  EXPECT_TRUE(feed(*bare, "Sure: {\"name\":\"get_weather\""));
  EXPECT_FALSE(may_end(*bare));
  EXPECT_FALSE(feed(*bare->clone(), ", \"arguments\": {\"town\""));
  EXPECT_TRUE(feed(*bare, ", \"parameters\": {\"city\": \"Ulm\"}} done"));
  EXPECT_TRUE(may_end(*bare));
}

TEST_F(ToolCallGrammar, a_token_that_crosses_the_opening_is_checked_behind_it) {
  const std::vector<OfferedTool> named{{"abc", &weather_}};
  const auto made = make_tool_call_grammar(named, {}, *vocabulary_.index());
  const auto pieces = std::vector<std::string>{"\": 1", "\", \""};
  const SmallVocabulary crossing(pieces);
  auto constraint = make_constraint(std::get<SchemaGrammar>(made).grammar, crossing.index());
  ASSERT_TRUE(feed(*constraint, "{\"name\": \"abc"));
  EXPECT_FALSE(constraint->allows(256));
  EXPECT_TRUE(constraint->allows(257));
  MaskWords mask(crossing.index()->num_words());
  constraint->fill_mask(mask);
  EXPECT_FALSE(has_bit(mask, 256));
  EXPECT_TRUE(has_bit(mask, 257));
  EXPECT_TRUE(has_bit(mask, crossing.think()));
  EXPECT_TRUE(has_bit(mask, crossing.end()));
}

TEST_F(ToolCallGrammar, reasoning_is_left_alone) {
  ToolCallOptions options;
  options.reasoning = {.open = "<think>", .close = "</think>"};
  auto constraint = make(options);
  constraint->accept(vocabulary_.think());
  EXPECT_TRUE(feed(*constraint, "maybe <tool_call> nonsense {\"name\": \"now\" nonsense"));
  EXPECT_TRUE(may_end(*constraint));
  constraint->accept(vocabulary_.think_end());
  EXPECT_TRUE(feed(*constraint, "now <tool_call>"));
  EXPECT_FALSE(feed(*constraint, "nonsense"));
  options.reasoning.begin = ReasoningFormat::Begin::inside;
  auto inside = make(options);
  EXPECT_TRUE(feed(*inside, "<tool_call> nonsense </think> prose <tool_call>"));
  EXPECT_FALSE(feed(*inside, "nonsense"));
}

TEST_F(ToolCallGrammar, calls_at_once_are_all_there_is) {
  ToolCallOptions options;
  options.start = CallStart::at_once;
  auto constraint = make(options);
  EXPECT_FALSE(may_end(*constraint));
  EXPECT_FALSE(feed(*constraint->clone(), "Sure"));
  EXPECT_TRUE(feed_call(*constraint));
  EXPECT_TRUE(may_end(*constraint));
  EXPECT_TRUE(constraint->is_complete());
}

TEST_F(ToolCallGrammar, several_calls_at_once_are_bounded_and_the_text_may_end_behind_each) {
  ToolCallOptions options;
  options.start = CallStart::at_once;
  options.max_calls = 3;
  auto constraint = make(options);
  for (int count = 1; count < 3; ++count) {
    ASSERT_TRUE(feed_call(*constraint)) << count;
    EXPECT_TRUE(may_end(*constraint)) << count;
    EXPECT_FALSE(constraint->is_complete()) << count;
    EXPECT_TRUE(constraint->clone()->allows(vocabulary_.call())) << count;
    ASSERT_TRUE(feed(*constraint, "\n")) << count;
    EXPECT_TRUE(may_end(*constraint)) << "a line's end promises no other call";
  }
  ASSERT_TRUE(feed_call(*constraint));
  EXPECT_TRUE(constraint->is_complete());
  EXPECT_FALSE(constraint->allows(vocabulary_.call()));
}

TEST_F(ToolCallGrammar, markers_that_are_one_token_come_as_that_token) {
  ToolCallOptions options;
  options.start = CallStart::at_once;
  auto constraint = make(options);
  EXPECT_FALSE(constraint->allows('<'));
  EXPECT_TRUE(constraint->allows(vocabulary_.call()));
  MaskWords mask(vocabulary_.index()->num_words());
  constraint->fill_mask(mask);
  EXPECT_EQ(tokens_of(mask), std::vector<TokenId>{vocabulary_.call()});
  EXPECT_EQ(constraint->forced_bytes(), "") << "a token is no bytes";
  EXPECT_FALSE(constraint->is_complete());
  constraint->accept(vocabulary_.call());
  ASSERT_TRUE(feed(*constraint, "\n{\"name\": \"now\", \"arguments\": {}}\n"));
  constraint->fill_mask(mask);
  EXPECT_TRUE(has_bit(mask, vocabulary_.call_end()));
  EXPECT_FALSE(has_bit(mask, '<'));
  EXPECT_FALSE(has_bit(mask, vocabulary_.call()));
}

TEST_F(ToolCallGrammar, markers_without_a_token_come_as_bytes) {
  ToolCallOptions options;
  options.start = CallStart::at_once;
  options.format.open = "<function_call>";
  options.format.close = "</function_call>";
  EXPECT_TRUE(feed(*make(options), "<function_call>{\"name\": \"now\", \"arguments\": {}}</function_call>"));
}

TEST_F(ToolCallGrammar, a_call_at_once_comes_behind_the_reasoning) {
  ToolCallOptions options;
  options.start = CallStart::at_once;
  options.reasoning = {.open = "<think>", .close = "</think>"};
  auto constraint = make(options);
  EXPECT_TRUE(constraint->allows(vocabulary_.call()));
  constraint->accept(vocabulary_.think());
  EXPECT_TRUE(feed(*constraint, "long <tool_call> thoughts"));
  EXPECT_FALSE(may_end(*constraint));
  constraint->accept(vocabulary_.think_end());
  EXPECT_FALSE(feed(*constraint->clone(), "\nprose"));
  EXPECT_TRUE(feed(*constraint, "\n"));
  EXPECT_TRUE(feed_call(*constraint));
}

TEST_F(ToolCallGrammar, other_families_put_the_name_outside) {
  ToolCallOptions options;
  options.format = {.open = "[TOOL_CALLS]",
                    .close = "",
                    .before_name = "<function=",
                    .behind_name = ">",
                    .behind_arguments = "</function>"};
  auto constraint = make(options);
  EXPECT_TRUE(feed(*constraint, "<function=prose [TOOL_CALLS]<function=now>{}</function> prose"));
  EXPECT_FALSE(feed(*constraint->clone(), "[TOOL_CALLS]<function=then"));
  EXPECT_FALSE(feed(*constraint, "{\"name\": \"now\" prose")) << "who reads it takes that for a call, too";
  options.json_opens = false;
  EXPECT_TRUE(feed(*make(options), "{\"name\": \"now\" prose"));
}

TEST_F(ToolCallGrammar, a_name_that_opens_wakes_it_without_its_section) {
  ToolCallOptions options;
  options.format = {.open = "<calls>",
                    .close = "</calls>",
                    .before_name = "<call=",
                    .behind_name = ">",
                    .behind_arguments = "</call>",
                    .shares_section = true};
  EXPECT_TRUE(feed(*make(options), "<call=what"));
  options.format.name_opens = true;
  auto constraint = make(options);
  EXPECT_FALSE(feed(*constraint->clone(), "<call=what"));
  EXPECT_TRUE(feed(*constraint->clone(), "<call=now>{}</call> prose"));
  EXPECT_TRUE(feed(*constraint, "<calls><call=now>{}</call>\n<call=now>{}</call></calls> prose"));
}

TEST_F(ToolCallGrammar, calls_that_share_a_section_are_bounded) {
  ToolCallOptions options;
  options.start = CallStart::at_once;
  options.max_calls = 2;
  options.format = {.open = "<calls>",
                    .close = "</calls>",
                    .before_name = "<call=",
                    .behind_name = ">",
                    .behind_arguments = "</call>",
                    .shares_section = true};
  auto one = make(options);
  EXPECT_TRUE(feed(*one, "<calls><call=now>{}</call></calls>"));
  EXPECT_TRUE(one->is_complete());
  EXPECT_TRUE(feed(*make(options), "<calls><call=now>{}</call><call=now>{}</call></calls>"));
  EXPECT_FALSE(feed(*make(options), "<calls><call=now>{}</call><call=now>{}</call><call=now>"));
}

TEST_F(ToolCallGrammar, calls_may_come_as_a_list_with_members_of_the_familys_own) {
  ToolCallOptions options;
  options.start = CallStart::at_once;
  options.max_calls = 2;
  options.format.bodies = {CallBody::json_list};
  options.format.json = {
      .name_key = "tool", .argument_keys = {"parameters"}, .before = {{"id", "[0-9]"}}, .behind = {}};
  constexpr const char* kNow = "{\"id\": 0, \"tool\": \"now\", \"parameters\": {}}";
  options.format.open = "<calls>";
  options.format.close = "";
  EXPECT_TRUE(
      feed(*make(options), std::string("<calls>[") + kNow + ", {\"tool\": \"now\", \"parameters\": {}}]"));
  EXPECT_FALSE(feed(*make(options), std::string("<calls>[") + kNow + "," + kNow + ","));
  EXPECT_FALSE(feed(*make(options), "<calls>[]"));
  EXPECT_FALSE(feed(*make(options), "<calls>[{\"name\""));
}

TEST_F(ToolCallGrammar, a_text_may_begin_inside_a_call_or_with_a_line_for_prose) {
  ToolCallOptions options;
  options.format = {.open = "",
                    .close = "",
                    .before_name = ">>>",
                    .behind_name = "\n",
                    .behind_arguments = "",
                    .bodies = {CallBody::named},
                    .text_line = "all\n"};
  auto constraint = make(options);
  EXPECT_FALSE(feed(*constraint->clone(), "Hello"));
  EXPECT_FALSE(feed(*constraint->clone(), "now\n{\"a\""));
  EXPECT_TRUE(feed(*constraint->clone(), "now\n{}\n>>>all\nDone"));
  EXPECT_TRUE(feed(*constraint, "all\n>>> print(1)\n>>>now\n"));
  EXPECT_FALSE(feed(*constraint, "x"));
  options.start = CallStart::at_once;
  options.max_calls = 2;
  EXPECT_TRUE(feed(*make(options), "now\n{}\n>>>now\n{}"));
  EXPECT_FALSE(feed(*make(options), "all\n"));
}

TEST_F(ToolCallGrammar, a_call_ends_reasoning_that_is_not_closed) {
  ToolCallOptions options;
  options.format = {.open = "<calls>",
                    .close = "</calls>",
                    .before_name = "<call=",
                    .behind_name = ">",
                    .behind_arguments = "</call>",
                    .name_opens = true};
  options.reasoning = {.open = "<think>", .close = "</think>", .begin = ReasoningFormat::Begin::inside};
  EXPECT_TRUE(feed(*make(options), "I call <calls><call=now>nonsense"));
  options.reasoning.ends_at_calls = true;
  auto constraint = make(options);
  EXPECT_TRUE(feed(*constraint, "with <calls> and <call=later> I mean <call=now>"));
  EXPECT_FALSE(feed(*constraint->clone(), "nonsense"));
  EXPECT_TRUE(feed(*constraint, "{}</call> prose <calls>"));
  EXPECT_FALSE(feed(*constraint, "prose")) << "the reasoning is over";
}

TEST_F(ToolCallGrammar, other_tokens_may_end_calls_at_once) {
  ToolCallOptions options;
  options.start = CallStart::at_once;
  options.max_calls = 2;
  options.ends = {"<think>", "<unknown>"};
  auto constraint = make(options);
  EXPECT_FALSE(constraint->allows(vocabulary_.think()));
  ASSERT_TRUE(feed_call(*constraint));
  EXPECT_TRUE(constraint->allows(vocabulary_.think()));
  constraint->accept(vocabulary_.think());
  EXPECT_TRUE(constraint->is_complete());
}

TEST_F(ToolCallGrammar, what_is_not_enforced_is_listed_once_by_tool) {
  const json::JsonValue schema = parse_or_die(R"({"properties":{"a":{"type":"array","uniqueItems":true}}})");
  const std::vector<OfferedTool> tools{{"t", &schema}};
  ToolCallOptions options;
  options.format = {
      .open = "", .close = "", .before_name = "<call=", .behind_name = ">", .behind_arguments = "</call>"};
  options.format.arguments = ArgumentForm::tags;
  options.format.tags = {.open = "<a=", .name_end = ">", .value_close = "</a>"};
  const auto made = make_tool_call_grammar(tools, options, *vocabulary_.index());
  const auto& unchecked = std::get<SchemaGrammar>(made).unchecked;
  ASSERT_EQ(unchecked.size(), 1u);
  EXPECT_EQ(unchecked[0].place, "t#/properties/a");
  EXPECT_EQ(unchecked[0].keyword, "uniqueItems");
}

TEST_F(ToolCallGrammar, a_tool_that_nothing_satisfies_is_named) {
  const json::JsonValue never = parse_or_die(R"({"not":{},"properties":{"a":false},"required":["a"]})");
  const std::vector<OfferedTool> tools{{"broken", &never}};
  const auto made = make_tool_call_grammar(tools, {}, *vocabulary_.index());
  ASSERT_TRUE(std::holds_alternative<GrammarError>(made));
  EXPECT_NE(std::get<GrammarError>(made).message.find("schema"), std::string::npos);
}

TEST_F(ToolCallGrammar, random_calls_end_and_are_json) {
  ToolCallOptions options;
  options.start = CallStart::at_once;
  options.format.open = options.format.close = "";
  std::mt19937 random(5);
  for (int i = 0; i < 20; ++i) {
    const std::string text = random_text(vocabulary_, *make(options), random);
    EXPECT_TRUE(parse_or_die(text).is_object()) << text;
  }
}

}  // namespace
}  // namespace parley::inference::grammar
