#include "inference/grammar/markup.h"

#include <gtest/gtest.h>

#include "inference/grammar/grammar_builder.h"
#include "inference/grammar/until_lexeme.h"
#include "tests/inference/grammar/grammar_testing.h"

namespace parley::inference::grammar {
namespace {

using SymbolKind = MarkupSymbol::Kind;

const SmallVocabulary& markup_vocabulary() {
  static const SmallVocabulary vocabulary;
  return vocabulary;
}

Markup markup(std::string_view text) { return markup_of(text, *markup_vocabulary().index()); }

std::unique_ptr<TokenConstraint> constrain_lexeme(std::shared_ptr<const Lexeme> lexeme) {
  GrammarBuilder builder(0);
  const NodeId root = builder.add_terminal(std::move(lexeme));
  return make_constraint(builder.finish(root), markup_vocabulary().index());
}

bool takes_token(TokenConstraint& constraint, TokenId token) {
  if (!constraint.allows(token)) return false;
  constraint.accept(token);
  return true;
}

bool may_end(const TokenConstraint& constraint) { return constraint.allows(markup_vocabulary().end()); }

TEST(Markup, HasNamesOfTokensAnywhereInAMarker) {
  const auto& words = markup_vocabulary();
  const Markup whole = markup("a<think>\n<tool_call>");
  ASSERT_EQ(whole.size(), 4u);
  EXPECT_EQ(whole[0], (MarkupSymbol{SymbolKind::byte, 'a'}));
  EXPECT_EQ(whole[1], (MarkupSymbol{SymbolKind::control, words.think()}));
  EXPECT_EQ(whole[2], (MarkupSymbol{SymbolKind::byte, '\n'}));
  EXPECT_EQ(whole[3], (MarkupSymbol{SymbolKind::named, words.call()}));
  EXPECT_EQ(markup_of_text("<think>").size(), 7u) << "text names nothing";
}

TEST(Markup, ComesAsItsTokensAndBytes) {
  const auto& words = markup_vocabulary();
  const auto constraint = constrain_lexeme(make_markup(markup("<think>x<tool_call>"), 0));
  EXPECT_FALSE(constraint->allows('<'));
  ASSERT_TRUE(takes_token(*constraint, words.think()));
  EXPECT_FALSE(constraint->allows(words.call()));
  ASSERT_TRUE(feed(*constraint, "x"));
  EXPECT_FALSE(constraint->allows('<'));
  EXPECT_FALSE(may_end(*constraint));
  ASSERT_TRUE(takes_token(*constraint, words.call()));
  EXPECT_TRUE(constraint->is_complete());
}

TEST(Markup, IsFollowedByBoundedWhiteSpace) {
  const auto constraint = constrain_lexeme(make_markup(markup("<a>"), 2));
  ASSERT_TRUE(feed(*constraint, "<a>"));
  EXPECT_TRUE(may_end(*constraint));
  ASSERT_TRUE(feed(*constraint, "\n\t"));
  EXPECT_TRUE(may_end(*constraint));
  EXPECT_FALSE(constraint->allows(' '));
}

TEST(Markups, TellWhichByTheirTag) {
  const std::vector<TaggedMarkup> keys{
      {markup("<think>a>"), 0}, {markup("<think>ab>"), 1}, {markup("b="), 1}};
  const auto lexeme = make_markups(keys, 0);
  const auto automaton = lexeme->make_automaton();
  const auto begun = automaton->next_token(automaton->start(), markup_vocabulary().think());
  EXPECT_EQ(automaton->open_tags(begun), 3u);
  const auto a = automaton->next(begun, 'a');
  const auto ab = automaton->next(a, 'b');
  EXPECT_EQ(automaton->open_tags(ab), 2u);
  EXPECT_EQ(automaton->tag(automaton->next(a, '>')), 0);
  EXPECT_EQ(automaton->tag(automaton->next(ab, '>')), 1);
  EXPECT_EQ(automaton->tag(automaton->next(automaton->next(automaton->start(), 'b'), '=')), 1);
}

TEST(OtherNames, AreAllButSome) {
  const std::vector<std::string> except{"city", "days"};
  const auto lexeme = make_other_names(markup_of_text("<p="), except, markup_of_text(">"), 1);
  for (const char* name : {"cit", "citya", "cities", "d", "x", "a-b.c_9", "dayz", "City"}) {
    EXPECT_TRUE(matches(*lexeme, "<p=" + std::string(name) + ">")) << name;
    EXPECT_TRUE(matches(*lexeme, "<p=" + std::string(name) + ">\n")) << name;
  }
  for (const char* name : {"city", "days", "", "a b", "a>"}) {
    EXPECT_FALSE(matches(*lexeme, "<p=" + std::string(name) + ">")) << name;
  }
  EXPECT_FALSE(matches(*lexeme, "<p=x>\n\n"));
  EXPECT_TRUE(matches(*make_other_names({}, {}, markup_of_text("="), 0), "a="));
}

// Of a marker that is made of tokens and bytes.
TEST(Until, EndsAtAMarkerWithTokensInIt) {
  const auto& words = markup_vocabulary();
  const std::vector<std::string> markers{"<think>\n<tool_call>x", "</think>"};
  const auto free_text = make_until(markers, FreeTextEnd::at_marker, *words.index());
  auto constraint = constrain_lexeme(free_text);
  ASSERT_TRUE(feed(*constraint, "any <think>\n"));
  ASSERT_TRUE(takes_token(*constraint, words.think()));
  ASSERT_TRUE(feed(*constraint, "\n"));
  ASSERT_TRUE(takes_token(*constraint, words.think())) << "begins once more";
  ASSERT_TRUE(feed(*constraint, "\n"));
  ASSERT_TRUE(takes_token(*constraint, words.call()));
  EXPECT_FALSE(may_end(*constraint));
  ASSERT_TRUE(feed(*constraint, "x"));
  EXPECT_TRUE(constraint->is_complete());
  const auto spelled = constrain_lexeme(free_text);
  ASSERT_TRUE(feed(*spelled, "<think>\n<tool_call>x"));
  EXPECT_TRUE(spelled->is_complete());
  const auto other = constrain_lexeme(free_text);
  ASSERT_TRUE(takes_token(*other, words.think_end()));
  EXPECT_TRUE(other->is_complete());
}

TEST(Until, KnowsMarkersThatCountAtTheStartOnly) {
  const auto& words = markup_vocabulary();
  const std::vector<UntilMarker> markers{{" to=", UntilMarker::Place::at_start},
                                         {"<think>to=", UntilMarker::Place::anywhere}};
  const auto free_text = make_until(markers, FreeTextEnd::anywhere, *words.index());
  const auto first = constrain_lexeme(free_text);
  ASSERT_TRUE(feed(*first, " to="));
  EXPECT_TRUE(first->is_complete());
  const auto later = constrain_lexeme(free_text);
  ASSERT_TRUE(feed(*later, "x to= to="));
  EXPECT_FALSE(later->is_complete());
  ASSERT_TRUE(takes_token(*later, words.think()));
  ASSERT_TRUE(feed(*later, "to="));
  EXPECT_TRUE(later->is_complete());
}

}  // namespace
}  // namespace parley::inference::grammar
