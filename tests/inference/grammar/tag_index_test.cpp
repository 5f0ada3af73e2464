#include "inference/grammar/tag_index.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "inference/grammar/markup.h"
#include "inference/grammar/table_lexeme.h"

namespace parley::inference::grammar {
namespace {

using State = ByteAutomaton::State;

TEST(TagIndex, knows_which_tags_a_state_leads_to) {
  TagIndex index;
  EXPECT_TRUE(index.reaches(0, 5, 5)) << "nothing is known";
  for (const int tag : {9, 3, 9, 100}) index.add(1, tag);
  index.add(2, 4);
  index.finish();
  EXPECT_EQ(index.memory(), 4 * sizeof(std::pair<State, int>));
  EXPECT_TRUE(index.reaches(1, 3, 3));
  EXPECT_TRUE(index.reaches(1, 4, 9));
  EXPECT_TRUE(index.reaches(1, 10, 1000));
  EXPECT_FALSE(index.reaches(1, 4, 8));
  EXPECT_FALSE(index.reaches(1, 101, 200));
  EXPECT_FALSE(index.reaches(1, 0, 2));
  EXPECT_TRUE(index.reaches(2, 0, 4));
  EXPECT_FALSE(index.reaches(2, 5, 200));
  EXPECT_FALSE(index.reaches(3, 0, 200));
}

std::string hundred_name(int i) { return "n" + std::to_string(100 + i); }

State read_text(ByteAutomaton& automaton, const std::string& text) {
  State state = automaton.start();
  for (const char byte : text) state = automaton.next(state, static_cast<std::uint8_t>(byte));
  return state;
}

// n100 to n199; behind n15 those from 50 to 59.
void expect_tags_of_hundred(ByteAutomaton& automaton) {
  EXPECT_TRUE(automaton.reaches_tag(automaton.start(), 99, 99));
  EXPECT_FALSE(automaton.reaches_tag(automaton.start(), 100, 200));
  const State fifties = read_text(automaton, "n15");
  EXPECT_TRUE(automaton.reaches_tag(fifties, 0, 50));
  EXPECT_TRUE(automaton.reaches_tag(fifties, 59, 99));
  EXPECT_FALSE(automaton.reaches_tag(fifties, 0, 49));
  EXPECT_FALSE(automaton.reaches_tag(fifties, 60, 99));
}

TEST(TagIndex, is_kept_for_more_literals_than_a_word_has_bits) {
  std::vector<std::string> names;
  for (int i = 0; i < 100; ++i) names.push_back(hundred_name(i));
  const auto lexeme = make_literals(names);
  const auto automaton = lexeme->make_automaton();
  expect_tags_of_hundred(*automaton);
  EXPECT_EQ(automaton->tag(read_text(*automaton, "n177")), 77);
}

TEST(TagIndex, is_kept_for_more_markers_too_and_in_the_white_space_behind_them) {
  std::vector<TaggedMarkup> markups;
  for (int i = 0; i < 100; ++i) markups.push_back({markup_of_text(hundred_name(i) + "="), i});
  const auto lexeme = make_markups(markups, 3);
  const auto automaton = lexeme->make_automaton();
  expect_tags_of_hundred(*automaton);
  const State space = read_text(*automaton, "n177= \n");
  EXPECT_EQ(automaton->tag(space), 77);
  EXPECT_TRUE(automaton->reaches_tag(space, 77, 77));
  EXPECT_FALSE(automaton->reaches_tag(space, 78, 99));
}

}  // namespace
}  // namespace parley::inference::grammar
