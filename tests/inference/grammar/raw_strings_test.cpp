#include "inference/grammar/raw_strings.h"

#include <gtest/gtest.h>

#include "tests/inference/grammar/grammar_testing.h"

namespace parley::inference::grammar {
namespace {

const std::vector<TextSequence> kEnds{{"</p>", "<p="}, {"</p>", "</f>"}, {"</f>", "</c>"}};

TEST(TextWithout, HoldsAnythingButTheSequences) {
  const auto text = make_text_without(kEnds);
  for (const char* allowed :
       {"", "a", "</p>", "</p> x<p=", "</p></q>", "é 東京\n</f>\n", "</f> <c>", "<p=</p>", "\"\\"}) {
    EXPECT_TRUE(matches(*text, allowed)) << allowed;
  }
  for (const char* refused :
       {"</p><p=", "a</p>\n\t<p=x", "</p> \r\n </f>", "</f></c>", "\xFF", "\xC3", "</p></p></f>"}) {
    EXPECT_FALSE(matches(*text, refused)) << refused;
  }
  EXPECT_TRUE(matches(*make_text_without({}), "</p><p="));
}

TEST(TextWithout, HasRoomForWhatIsShorterThanASequence) {
  const auto text = make_text_without(kEnds);
  const auto automaton = text->make_automaton();
  const auto plain = automaton->next(automaton->start(), 'x');
  EXPECT_EQ(automaton->text_room(plain, TextClass::safe), 6u) << "</p><p= has seven bytes";
  EXPECT_EQ(automaton->text_room(plain, TextClass::unmarked), 0u) << "may end inside a character";
  EXPECT_EQ(automaton->text_room(automaton->next(plain, '<'), TextClass::safe), 0u);
  EXPECT_EQ(automaton->text_room(automaton->next(plain, 0xC3), TextClass::safe), 0u) << "inside a character";
}

SchemaPart bare_part(const json::JsonValue& schema) {
  SchemaPart part = first_part(schema, "#");
  part.is_bare = true;
  return part;
}

// As a part of a schema.
std::shared_ptr<const Lexeme> limited(const json::JsonValue& schema, UncheckedList& unchecked) {
  SchemaBudget budget({});
  return make_limited_text(make_text_without(kEnds), {bare_part(schema)}, unchecked, budget);
}

bool admits(std::string_view schema, std::string_view text) {
  const json::JsonValue value = parse_or_die(schema);
  UncheckedList unchecked;
  const auto lexeme = limited(value, unchecked);
  EXPECT_TRUE(unchecked.take().empty()) << schema;
  return lexeme != nullptr && matches(*lexeme, text);
}

TEST(LimitedText, KeepsToLengthsPatternsAndFormats) {
  EXPECT_TRUE(admits(R"({"maxLength": 2})", "éé"));
  EXPECT_FALSE(admits(R"({"maxLength": 2})", "ééé"));
  EXPECT_FALSE(admits(R"({"minLength": 2})", "é"));
  EXPECT_TRUE(admits(R"({"minLength": 2})", "\"\""));
  EXPECT_TRUE(admits(R"({"pattern": "^a.c$", "maxLength": 9})", "a\"c"));
  EXPECT_FALSE(admits(R"({"pattern": "^a.c$"})", "abcd"));
  EXPECT_TRUE(admits(R"({"pattern": "b"})", "abc"));
  EXPECT_TRUE(admits(R"({"format": "date"})", "2024-02-29"));
  EXPECT_FALSE(admits(R"({"format": "date"})", "tomorrow"));
  EXPECT_FALSE(admits(R"({"minLength": 3, "maxLength": 2})", "abc"));
  EXPECT_FALSE(admits(R"({"pattern": "</p><p="})", "</p><p="));
}

TEST(LimitedText, ReportsWhatItCannotEnforce) {
  const json::JsonValue schema =
      parse_or_die(R"s({"maxLength": 100000, "pattern": "(?=a)", "format": "colour"})s");
  UncheckedList unchecked;
  EXPECT_TRUE(matches(*limited(schema, unchecked), "anything"));
  std::vector<std::string> keywords;
  for (const UncheckedKeyword& one : unchecked.take()) keywords.push_back(one.keyword);
  EXPECT_EQ(keywords, (std::vector<std::string>{"maxLength", "pattern", "format"}));
  EXPECT_TRUE(has_string_limits({bare_part(schema)}));
  const json::JsonValue free = parse_or_die(R"({"type": "string"})");
  EXPECT_FALSE(has_string_limits({bare_part(free)}));
}

}  // namespace
}  // namespace parley::inference::grammar
