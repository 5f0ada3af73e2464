#include "inference/grammar/banned_text.h"

#include <gtest/gtest.h>

#include "inference/grammar/text_grammars.h"
#include "tests/inference/grammar/grammar_testing.h"

namespace parley::inference::grammar {
namespace {

class BannedTextTest : public testing::Test {
 protected:
  static const SmallVocabulary& vocabulary() {
    static const SmallVocabulary vocabulary;
    return vocabulary;
  }
  static std::unique_ptr<TokenConstraint> without(BannedText banned) {
    return make_constraint(make_banned_text_grammar(std::move(banned), *vocabulary().index()),
                           vocabulary().index());
  }
  static std::unique_ptr<TokenConstraint> without_openings() {
    return without({.openings = {"{\"name\"", "<think>", "```"}, .anywhere = {}});
  }
  static std::unique_ptr<TokenConstraint> without_calls() {
    return without({.openings = {}, .anywhere = {"<tool_call>", "<think>"}});
  }

  static MaskWords mask_of(TokenConstraint& constraint) {
    MaskWords mask(vocabulary().index()->num_words());
    constraint.fill_mask(mask);
    return mask;
  }
  // Whether the mask says of each token what `allows` says.
  static void expect_exact_mask(TokenConstraint& constraint) {
    const MaskWords mask = mask_of(constraint);
    for (TokenId token = 0; token < static_cast<TokenId>(vocabulary().index()->num_tokens()); ++token) {
      EXPECT_EQ(has_bit(mask, token), constraint.allows(token))
          << vocabulary().tokenizer().token_bytes(token);
    }
  }
};

TEST_F(BannedTextTest, openings_are_banned_in_every_spelling_at_the_beginning) {
  EXPECT_FALSE(feed(*without_openings(), "{\"name\""));
  EXPECT_FALSE(feed(*without_openings(), " \n{\"name\""));
  EXPECT_TRUE(feed(*without_openings(), "{\"nam\": 1, \"name\": 2} ``` <think>"));
  EXPECT_FALSE(without_openings()->allows(vocabulary().think()));
  EXPECT_TRUE(without_openings()->allows(vocabulary().think_end()));
  EXPECT_TRUE(without_openings()->allows(vocabulary().end()));
  auto started = without_openings();
  ASSERT_TRUE(feed(*started, "Hi"));
  EXPECT_TRUE(started->allows(vocabulary().think()));
  EXPECT_EQ(tokens_of(mask_of(*started)).size(), vocabulary().index()->num_tokens());
  const MaskWords mask = mask_of(*without_openings());
  EXPECT_FALSE(has_bit(mask, vocabulary().think()));
  EXPECT_TRUE(has_bit(mask, '{'));
}

TEST_F(BannedTextTest, other_strings_are_banned_wherever_they_stand) {
  EXPECT_FALSE(feed(*without_calls(), "<tool_call>"));
  EXPECT_FALSE(feed(*without_calls(), "Sure: <<tool_call>"));
  EXPECT_FALSE(feed(*without_calls(),
                    "<think"
                    ">"));
  auto constraint = without_calls();
  EXPECT_FALSE(constraint->allows(vocabulary().call())) << "a token that is text once it is generated";
  EXPECT_FALSE(constraint->allows(vocabulary().think())) << "a control token";
  ASSERT_TRUE(feed(*constraint, "Behind some text, and at the end of a spelling: <tool_cal"));
  EXPECT_FALSE(constraint->allows(vocabulary().call()));
  EXPECT_FALSE(constraint->allows(vocabulary().think()));
  EXPECT_TRUE(constraint->allows('l'));
  ASSERT_TRUE(feed(*constraint, "l"));
  EXPECT_FALSE(constraint->allows('>'));
  EXPECT_TRUE(constraint->allows(vocabulary().end()));
  EXPECT_TRUE(constraint->allows(vocabulary().call_end()));
}

TEST_F(BannedTextTest, what_only_begins_like_a_banned_string_is_left_alone) {
  EXPECT_TRUE(
      feed(*without_calls(), "<table><tr>a < b <tool> tool_call {\"name\": 1} </tool_call> <thinking>"));
}

TEST_F(BannedTextTest, masks_say_the_same_as_single_tokens) {
  for (const char* text : {"", "x", "<", "a <tool", "<tool_call", "<t", "\xC3"}) {
    auto constraint = without_calls();
    ASSERT_TRUE(feed(*constraint, text));
    expect_exact_mask(*constraint);
    auto both = without({.openings = {"[{", "{\""}, .anywhere = {"<tool_call>", "lo"}});
    ASSERT_TRUE(feed(*both, text));
    expect_exact_mask(*both);
  }
}

TEST_F(BannedTextTest, a_string_inside_an_opening_counts) {
  const auto constraint = without({.openings = {"ab<x>cd"}, .anywhere = {"<x>", ""}});
  EXPECT_FALSE(feed(*constraint, "ab<x>"));
}

TEST_F(BannedTextTest, nothing_banned_is_any_text) {
  auto constraint = without({});
  EXPECT_EQ(tokens_of(mask_of(*constraint)).size(), vocabulary().index()->num_tokens());
}

}  // namespace
}  // namespace parley::inference::grammar
