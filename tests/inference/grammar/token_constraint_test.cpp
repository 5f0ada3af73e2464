#include "inference/grammar/token_constraint.h"

#include <gtest/gtest.h>

#include "inference/grammar/text_grammars.h"
#include "tests/inference/grammar/grammar_testing.h"

namespace parley::inference::grammar {
namespace {

const SmallVocabulary& vocabulary() {
  static const SmallVocabulary vocabulary;
  return vocabulary;
}

std::unique_ptr<TokenConstraint> constrain(std::shared_ptr<const Grammar> grammar) {
  return make_constraint(std::move(grammar), vocabulary().index());
}

std::shared_ptr<const Grammar> regex(std::string_view pattern) {
  return std::get<std::shared_ptr<const Grammar>>(make_regex_grammar(pattern));
}

TEST(TokenConstraint, ends_when_the_text_may_end_and_then_is_over) {
  auto constraint = constrain(regex("ab*"));
  EXPECT_FALSE(constraint->allows(vocabulary().end()));
  constraint->accept('a');
  EXPECT_TRUE(constraint->allows(vocabulary().end()));
  EXPECT_TRUE(constraint->allows('b'));
  EXPECT_FALSE(constraint->is_complete());
  constraint->accept(vocabulary().end());
  EXPECT_TRUE(constraint->is_complete());
  EXPECT_FALSE(constraint->allows('b'));
  MaskWords mask(vocabulary().index()->num_words(), 1);
  constraint->fill_mask(mask);
  EXPECT_TRUE(tokens_of(mask).empty());
}

TEST(TokenConstraint, control_tokens_and_ids_without_a_token_are_refused_in_json) {
  auto constraint = constrain(json_value_grammar());
  ASSERT_TRUE(feed(*constraint, "\""));
  EXPECT_FALSE(constraint->allows(vocabulary().think()));
  EXPECT_TRUE(constraint->allows(vocabulary().call())) << "once generated it is text";
  EXPECT_FALSE(constraint->allows(-1));
  EXPECT_FALSE(constraint->allows(1 << 20));
}

TEST(TokenConstraint, a_clone_goes_its_own_way) {
  auto constraint = constrain(regex("a(b|c)d"));
  constraint->accept('a');
  auto clone = constraint->clone();
  clone->accept('b');
  EXPECT_TRUE(constraint->allows('c'));
  EXPECT_FALSE(clone->allows('c'));
  EXPECT_TRUE(clone->allows('d'));
}

TEST(TokenConstraint, forced_bytes_go_as_far_as_there_is_no_choice) {
  EXPECT_EQ(constrain(regex("hello (world|you)"))->forced_bytes(), "hello ");
  EXPECT_EQ(constrain(regex("abc"))->forced_bytes(), "abc");
  EXPECT_EQ(constrain(regex("(abc)?"))->forced_bytes(), "");
  const std::vector<std::string> names{"get_time", "get_weather", "get_words"};
  auto choice = constrain(make_choice_grammar(names));
  EXPECT_EQ(choice->forced_bytes(), "get_");
  ASSERT_TRUE(feed(*choice, "get_we"));
  EXPECT_EQ(choice->forced_bytes(), "ather");
  ASSERT_TRUE(feed(*choice, "ather"));
  EXPECT_TRUE(choice->is_complete());
}

TEST(TokenConstraint, long_texts_do_not_fill_the_memory) {
  // Every element is a new state; what has been learnt is thrown away in between, and nothing changes by
  // that.
  auto constraint = constrain(compile_or_die(R"({"type":"array","items":{"type":"string","pattern":"^a"},
                                                 "maxItems":100000})")
                                  .grammar);
  ASSERT_TRUE(feed(*constraint, "["));
  for (int i = 0; i < 20000; ++i) ASSERT_TRUE(feed(*constraint, "\"abc\",")) << i;
  EXPECT_FALSE(constraint->allows(']'));
  EXPECT_FALSE(feed(*constraint->clone(), "\"b"));
  ASSERT_TRUE(feed(*constraint, "\"a\"]"));
  EXPECT_TRUE(constraint->is_complete());
}

}  // namespace
}  // namespace parley::inference::grammar
