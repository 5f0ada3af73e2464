#include "inference/grammar/forced_run.h"

#include <gtest/gtest.h>

#include <string>

#include "inference/grammar/text_grammars.h"
#include "inference/grammar/token_constraint.h"
#include "inference/grammar/tool_call_grammar.h"
#include "tests/inference/grammar/grammar_testing.h"
#include "tests/inference/grammar/merging_vocabulary.h"
#include "tests/inference/grammar/real_vocabulary.h"

namespace parley::inference::grammar {
namespace {

std::shared_ptr<const Grammar> regex_grammar(std::string_view pattern) {
  return std::get<std::shared_ptr<const Grammar>>(make_regex_grammar(pattern));
}

std::unique_ptr<TokenConstraint> constrain_words(const MergingVocabulary& words, std::string_view pattern) {
  return make_constraint(regex_grammar(pattern), words.shared_index());
}

void accept_all(TokenConstraint& constraint, const std::vector<TokenId>& tokens) {
  for (const TokenId token : tokens) {
    ASSERT_TRUE(constraint.allows(token)) << token;
    constraint.accept(token);
  }
}

TEST(ForcedRun, is_what_the_tokenizer_writes_up_to_where_the_model_may_still_choose) {
  const MergingVocabulary words;
  const auto constraint = constrain_words(words, R"(\{"name": (1|2)\})");
  const std::vector<TokenId> run = constraint->forced_run({});
  EXPECT_EQ(run, words.tokens({"{\"", "name", "\":"}));
  accept_all(*constraint, run);
  EXPECT_EQ(constraint->forced_bytes(), " ");
  EXPECT_TRUE(constraint->forced_run(run).empty()) << "one token may be the space and the number";
  accept_all(*constraint, words.tokens({" 1"}));
  EXPECT_EQ(constraint->forced_run(words.tokens({"\":", " 1"})), words.tokens({"}"}));
}

TEST(ForcedRun, leaves_the_state_as_it_is) {
  const MergingVocabulary words;
  const auto constraint = constrain_words(words, "name(1|2)");
  EXPECT_EQ(constraint->forced_run({}), constraint->forced_run({}));
  EXPECT_EQ(constraint->forced_run({}), words.tokens({"name"}));
}

TEST(ForcedRun, holds_nothing_back_where_the_text_ends) {
  const MergingVocabulary words;
  const auto constraint = constrain_words(words, "1na");
  const std::vector<TokenId> run = constraint->forced_run({});
  EXPECT_EQ(run, words.tokens({"1", "na"})) << "no name can come of it any more";
  accept_all(*constraint, run);
  EXPECT_TRUE(constraint->is_complete());
  EXPECT_TRUE(constraint->forced_run(run).empty());
  constraint->accept(words.end());
  EXPECT_TRUE(constraint->forced_run(run).empty());
}

TEST(ForcedRun, is_empty_where_there_is_a_choice) {
  const MergingVocabulary words;
  EXPECT_TRUE(constrain_words(words, "name|1")->forced_run({}).empty());
  EXPECT_TRUE(constrain_words(words, "(name)?")->forced_run({}).empty()) << "the text may end";
  EXPECT_TRUE(constrain_words(words, "na(me)?")->forced_run({}).empty()) << "may be written as one token";
  EXPECT_TRUE(constrain_words(words, "n.*")->forced_run({}).empty());
}

TEST(ForcedRun, is_empty_where_the_context_ends_inside_a_token) {
  const MergingVocabulary words;
  const auto constraint = constrain_words(words, "name1");
  accept_all(*constraint, words.tokens({"n"}));
  EXPECT_TRUE(constraint->forced_run(words.tokens({"n"})).empty());
}

TEST(ForcedRun, looks_at_the_end_of_the_context_only) {
  const MergingVocabulary words;
  std::vector<TokenId> context(5000, 'x');
  context.push_back(words.tokens({"{\""}).front());
  const auto constraint = constrain_words(words, R"(\{"name": (1|2)\})");
  accept_all(*constraint, words.tokens({"{\""}));
  EXPECT_EQ(constraint->forced_run(context), words.tokens({"name", "\":"}));
}

// A call without arguments, and no white space anywhere: all of it is forced, control tokens too.
TEST(ForcedRun, crosses_tokens_that_are_no_text) {
  const SmallVocabulary vocabulary;
  const std::vector<OfferedTool> tools{{"now", nullptr}};
  ToolCallOptions options;
  options.start = CallStart::at_once;
  options.schema.max_white_space = 0;
  options.format.before_name = "<think>";
  options.format.behind_name = "</think>";
  options.format.behind_arguments = "]";
  const auto made = make_tool_call_grammar(tools, options, *vocabulary.index());
  const auto constraint = make_constraint(std::get<SchemaGrammar>(made).grammar, vocabulary.index());
  const std::vector<TokenId> run = constraint->forced_run(std::vector<TokenId>{'x'});
  EXPECT_EQ(run, (std::vector<TokenId>{vocabulary.call(), vocabulary.think(), 'n', 'o', 'w',
                                       vocabulary.think_end(), '{', '}', ']', vocabulary.call_end()}));
  accept_all(*constraint, run);
  EXPECT_TRUE(constraint->is_complete());
}

TEST(ForcedRun, is_none_where_prose_is_free_or_one_of_several_control_tokens_comes) {
  const SmallVocabulary vocabulary;
  const std::vector<OfferedTool> tools{{"now", nullptr}};
  ToolCallOptions options;
  const auto prose = make_tool_call_grammar(tools, options, *vocabulary.index());
  EXPECT_TRUE(
      make_constraint(std::get<SchemaGrammar>(prose).grammar, vocabulary.index())->forced_run({}).empty());
  options.start = CallStart::at_once;
  options.reasoning = {.open = "<think>", .close = "</think>"};
  const auto either = make_tool_call_grammar(tools, options, *vocabulary.index());
  EXPECT_TRUE(
      make_constraint(std::get<SchemaGrammar>(either).grammar, vocabulary.index())->forced_run({}).empty());
}

TEST(ForcedRun, is_bounded_and_goes_on_when_asked_again) {
  const MergingVocabulary words;
  const auto constraint = constrain_words(words, "(1name){3000}");
  std::vector<TokenId> text;
  int num_runs = 0;
  while (!constraint->is_complete()) {
    const std::vector<TokenId> run = constraint->forced_run(text);
    ASSERT_FALSE(run.empty());
    EXPECT_LE(run.size(), 4096u);
    accept_all(*constraint, run);
    text.insert(text.end(), run.begin(), run.end());
    ++num_runs;
  }
  EXPECT_EQ(text.size(), 6000u);
  EXPECT_EQ(num_runs, 4);
}

struct Document {
  const char* schema;
  const char* text;
};
constexpr Document kDocuments[] = {
    {R"({"type":"object","properties":{"city":{"type":"string"},"temperature_unit":{"enum":["celsius","fahrenheit"]},
         "number_of_days":{"type":"integer"}},"required":["city","temperature_unit"],"additionalProperties":false})",
     R"({"city": "S\u00e3o Paulo", "temperature_unit": "celsius", "number_of_days": 7})"},
    {R"({"type":"object","properties":{"city":{"type":"string"},"temperature_unit":{"enum":["celsius","fahrenheit"]},
         "number_of_days":{"type":"integer"}},"required":["city","temperature_unit"],"additionalProperties":false})",
     R"({"number_of_days":7,"temperature_unit":"fahrenheit","city":"Zürich"})"},
    {R"({"type":"array","items":{"const":{"kind":"constant value","übung":[1,true,null]}}})",
     R"([{"kind":"constant value","übung":[1,true,null]}, {"kind": "constant value", "übung": [1, true, null]}])"},
    {R"({"type":"object","properties":{"created_at":{"type":"string","format":"date-time"}},"required":["created_at"]})",
     "{\n    \"created_at\": \"2024-02-29T12:00:00Z\"\n}"},
};

// Whatever run is given is a part of what the tokenizer makes of the whole text.
TEST(ForcedRun, is_canonical_in_the_real_vocabulary) {
  const auto tokenizer = load_real_vocabulary();
  if (!tokenizer) GTEST_SKIP() << "RUN tests/bench/fetch_vocabulary.py: the vocabulary is missing";
  const auto index = std::make_shared<const VocabularyIndex>(*tokenizer);
  std::size_t num_forced = 0;
  for (const std::uint32_t white_space : {0u, kUsualWhiteSpace}) {
    for (const Document& document : kDocuments) {
      const auto grammar = compile_or_die(document.schema, {.max_white_space = white_space}).grammar;
      if (!accepts(grammar, document.text)) continue;  // has white space where none is allowed
      SCOPED_TRACE(document.text);
      const auto constraint = make_constraint(grammar, index);
      const std::vector<TokenId> whole = tokenizer->encode(document.text);
      for (auto next = whole.begin(); next != whole.end(); ++next) {
        const std::vector<TokenId> run = constraint->forced_run({whole.begin(), next});
        ASSERT_LE(run.size(), static_cast<std::size_t>(whole.end() - next));
        ASSERT_TRUE(std::equal(run.begin(), run.end(), next));
        num_forced += run.size();
        ASSERT_TRUE(constraint->allows(*next));
        constraint->accept(*next);
      }
      EXPECT_TRUE(constraint->allows(index->end_tokens().front()));
    }
  }
  EXPECT_GT(num_forced, 30u);
}

}  // namespace
}  // namespace parley::inference::grammar
