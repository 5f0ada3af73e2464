#include "inference/grammar/grammar_alternatives.h"

#include <gtest/gtest.h>

#include "inference/grammar/grammar_builder.h"
#include "inference/grammar/table_lexeme.h"

namespace parley::inference::grammar {
namespace {

TEST(GrammarAlternatives, are_the_branches_of_all_choices_in_a_choice_each_once) {
  GrammarBuilder builder(1);
  const NodeId a = builder.add_terminal(make_literal("a"));
  const NodeId b = builder.add_terminal(make_literal("b"));
  const NodeId c = builder.add_sequence({a, b});
  const NodeId inner = builder.add_choice({a, b});
  builder.add_choice({inner, builder.add_choice({inner, c}), a});
  EXPECT_TRUE(builder.has_more_alternatives(0, 2));
  EXPECT_FALSE(builder.has_more_alternatives(0, 3));
}

TEST(GrammarAlternatives, a_choice_that_contains_itself_is_counted_once) {
  GrammarBuilder builder(1);
  const NodeId self = builder.reserve();
  const NodeId other = builder.reserve();
  builder.fill(self, {other, self, builder.add_terminal(make_literal("a"))});
  builder.fill(other, {self});
  EXPECT_TRUE(builder.has_more_alternatives(0, 0));
  EXPECT_FALSE(builder.has_more_alternatives(0, 1));
}

TEST(GrammarAlternatives, those_before_the_first_node_do_not_count) {
  GrammarBuilder builder(1);
  std::vector<NodeId> many;
  for (int i = 0; i < 50; ++i) many.push_back(builder.add_terminal(make_literal(std::to_string(i))));
  builder.add_choice(many);
  EXPECT_TRUE(builder.has_more_alternatives(0, 49));
  EXPECT_FALSE(builder.has_more_alternatives(static_cast<NodeId>(builder.num_nodes()), 49));
}

// All branches again in each choice: few alternatives, but much to go through.
TEST(GrammarAlternatives, choices_that_lead_to_the_same_over_and_over_are_too_many_as_well) {
  GrammarBuilder builder(1);
  std::vector<NodeId> all{builder.add_terminal(make_literal("a"))};
  for (int i = 0; i < 100; ++i) all.push_back(builder.add_choice(all));
  EXPECT_TRUE(builder.has_more_alternatives(0, 100));
}

}  // namespace
}  // namespace parley::inference::grammar
