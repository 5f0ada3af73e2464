#include "inference/grammar/text_room.h"

#include <gtest/gtest.h>

#include <array>
#include <memory>
#include <string>
#include <variant>

#include "inference/grammar/regex_lexeme.h"
#include "inference/grammar/string_lexeme.h"
#include "tests/inference/grammar/grammar_testing.h"

namespace parley::inference::grammar {
namespace {

constexpr std::uint32_t kEndless = ByteAutomaton::kEndless;

std::shared_ptr<const Lexeme> pattern(std::string_view text,
                                      CharacterEncoding encoding = CharacterEncoding::utf8) {
  return std::get<std::shared_ptr<const Lexeme>>(make_regex_lexeme(text, {.encoding = encoding}));
}

// Behind `before`.
std::uint32_t room(const Lexeme& lexeme, TextClass text, std::string_view before = "") {
  const auto automaton = lexeme.make_automaton();
  ByteAutomaton::State state = automaton->start();
  for (const char byte : before) state = automaton->next(state, static_cast<std::uint8_t>(byte));
  return automaton->text_room(state, text);
}

TEST(TextRoom, is_endless_where_each_character_leads_back) {
  EXPECT_EQ(room(*pattern("[a-z]*"), TextClass::lower), kEndless);
  EXPECT_EQ(room(*pattern("[a-z]*"), TextClass::letters), 0u);
  EXPECT_EQ(room(*pattern("[A-Za-z0-9_-]*"), TextClass::letters), kEndless);
  EXPECT_EQ(room(*pattern("[a-zA-Z ]*"), TextClass::phrase), kEndless);
  EXPECT_EQ(room(*pattern("[^/]*"), TextClass::plain), kEndless);
  EXPECT_EQ(room(*pattern("[^/]*"), TextClass::safe), 0u);
  EXPECT_EQ(room(*pattern("\\S*"), TextClass::unspaced), kEndless);
  EXPECT_EQ(room(*pattern("\\S*"), TextClass::plain), 0u);
  EXPECT_EQ(room(*pattern(".*"), TextClass::safe), kEndless);
}

TEST(TextRoom, counts_characters_where_the_text_is_bounded) {
  EXPECT_EQ(room(*pattern("[a-z]{5}"), TextClass::lower), 5u);
  EXPECT_EQ(room(*pattern("[a-z]{5}"), TextClass::lower, "ab"), 3u);
  EXPECT_EQ(room(*pattern(".{0,7}x"), TextClass::plain), 7u) << "the eighth must be an x";
  EXPECT_EQ(room(*pattern("[a-z]{100}"), TextClass::lower), TextRoom::kMaxFollowed);
  EXPECT_EQ(room(*pattern("1?.{3}"), TextClass::letters), 3u);
  EXPECT_EQ(room(*make_quoted(make_sized_content({.min = 0, .max = 9})), TextClass::plain, "\"ab"), 7u);
}

TEST(TextRoom, characters_of_a_class_may_lead_to_several_states) {
  EXPECT_EQ(room(*pattern("[^]*\\S[^]*"), TextClass::safe), kEndless) << "spaces lead elsewhere than letters";
  EXPECT_EQ(room(*pattern("([a-m][n-z]?)*"), TextClass::lower), 0u);
  EXPECT_EQ(room(*pattern("([a-m]|[n-z][a-z])*"), TextClass::lower), kEndless);
  EXPECT_EQ(room(*pattern("[a-z]([a-m][a-z]{2}|[n-z])1"), TextClass::lower), 2u) << "an n ends it";
}

TEST(TextRoom, is_none_inside_a_character_and_none_of_bytes) {
  EXPECT_EQ(room(*pattern(".*"), TextClass::safe, "\xE2"), 0u);
  EXPECT_EQ(room(*pattern("[^]*"), TextClass::unmarked), 0u);
  EXPECT_EQ(room(*make_quoted(make_sized_content({.min = 0, .max = 9})), TextClass::unmarked, "\""), 0u);
}

TEST(TextRoom, is_the_same_however_the_language_is_written) {
  for (const char* text : {"[a-z]{3,9}", "[^,]*,?", "(ab)*", "[A-Z][a-z]*"}) {
    const auto lazy = pattern(text);
    const auto table = write_out(*lazy, 1000);
    for (const TextClass each : kTextClasses) {
      for (const char* before : {"", "A", "a", "ab"}) {
        if (matches(*lazy, before)) {
          EXPECT_EQ(room(*lazy, each, before), room(*table, each, before)) << text;
        }
      }
    }
  }
}

TEST(TextRoom, steps_of_a_class_are_those_of_its_characters) {
  const auto lexeme = pattern("([a-m]|[n-z]b)c*");
  const auto automaton = lexeme->make_automaton();
  const auto start = automaton->start();
  const std::vector<ByteAutomaton::State> both{automaton->next(start, 'a'), automaton->next(start, 'z')};
  std::size_t work = 0;
  EXPECT_EQ(next_by_class(*automaton, start, TextClass::lower, work), both);
  EXPECT_EQ(work, 26u);
  EXPECT_TRUE(next_by_class(*automaton, both[0], TextClass::lower, work).empty());
  EXPECT_EQ(work, 27u);
  EXPECT_TRUE(next_by_class(*automaton, start, TextClass::letters, work).empty());
}

}  // namespace
}  // namespace parley::inference::grammar
