#include "inference/grammar/regex_lexeme.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <fstream>
#include <sstream>

#include "inference/json/json_writer.h"
#include "inference/tokenizer/utf8.h"
#include "tests/inference/grammar/grammar_testing.h"

namespace parley::inference::grammar {
namespace {

std::shared_ptr<const Lexeme> compile(std::string_view pattern, const RegexOptions& options = {}) {
  const auto made = make_regex_lexeme(pattern, options);
  if (const auto* error = std::get_if<RegexError>(&made)) {
    ADD_FAILURE() << pattern << ": " << error->message;
    return nullptr;
  }
  return std::get<std::shared_ptr<const Lexeme>>(made);
}

std::string error_of_pattern(std::string_view pattern) {
  const auto made = make_regex_lexeme(pattern, {});
  const auto* error = std::get_if<RegexError>(&made);
  return error != nullptr ? error->message : "";
}

json::JsonValue read_goldens() {
  std::ifstream file("tests/goldens/grammar/regex_goldens.json");
  std::stringstream text;
  text << file.rdbuf();
  return parse_or_die(text.str());
}

bool contains(const json::JsonValue& list, const json::JsonValue& text) {
  const auto& array = list.get_array();
  return std::find(array.begin(), array.end(), text) != array.end();
}

TEST(RegexLexeme, says_what_python_says) {
  const json::JsonValue goldens = read_goldens();
  for (const json::JsonValue& entry : goldens.get_array()) {
    const std::string pattern(entry.at("pattern").get_string());
    SCOPED_TRACE(pattern);
    const auto whole = compile(pattern);
    const auto found = compile(pattern, {.match = RegexMatch::anywhere});
    const auto in_json =
        compile(pattern, {.match = RegexMatch::anywhere, .encoding = CharacterEncoding::json_string});
    ASSERT_TRUE(whole && found && in_json);
    for (const json::JsonValue& text : entry.at("texts").get_array()) {
      const std::string plain(text.get_string());
      EXPECT_EQ(matches(*whole, plain), contains(entry.at("whole"), text)) << plain;
      EXPECT_EQ(matches(*found, plain), contains(entry.at("found"), text)) << plain;
      const std::string quoted = json::to_json_text(text);
      EXPECT_EQ(matches(*in_json, quoted.substr(1, quoted.size() - 2)), contains(entry.at("found"), text))
          << quoted;
    }
  }
}

TEST(RegexLexeme, names_what_it_does_not_support) {
  EXPECT_NE(error_of_pattern("a(?=b)").find("lookahead"), std::string::npos);
  EXPECT_NE(error_of_pattern("(?!b)").find("lookahead"), std::string::npos);
  EXPECT_NE(error_of_pattern("(?<=b)").find("lookbehind"), std::string::npos);
  EXPECT_NE(error_of_pattern("(a)\\1").find("backreference"), std::string::npos);
  EXPECT_NE(error_of_pattern("\\bword").find("word boundaries"), std::string::npos);
  EXPECT_NE(error_of_pattern("\\p{L}").find("properties"), std::string::npos);
  EXPECT_NE(error_of_pattern("(?i)a").find("(?"), std::string::npos);
}

TEST(RegexLexeme, broken_patterns_are_errors_with_a_place) {
  for (const char* broken : {"(", ")", "[a", "a{", "a{2", "a{3,2}", "*a", "a**", "^*", "[b-a]", "[\\d-z]",
                             "\\", "\\u12", "\\q", "(?<x", "\xFF", "a{999999}"}) {
    EXPECT_NE(error_of_pattern(broken), "") << broken;
  }
  EXPECT_EQ(error_of_pattern("abc)"), "At character 3 of the pattern there is a ) without its (.");
  EXPECT_NE(error_of_pattern("a^b").find("No text"), std::string::npos);
}

TEST(RegexLexeme, hostile_patterns_end_in_an_error_soon) {
  const auto begin = std::chrono::steady_clock::now();
  EXPECT_NE(error_of_pattern("((((a{100}){100}){100}){100})").find("too large"), std::string::npos);
  EXPECT_NE(error_of_pattern("((((){99999}){99999}){99999})").find("too large"), std::string::npos);
  EXPECT_NE(error_of_pattern(std::string(100, '(') + std::string(100, ')')).find("64"), std::string::npos);
  EXPECT_NE(error_of_pattern(std::string(20000, 'a')).find("16 kB"), std::string::npos);
  std::string wide = "[";
  for (int i = 0; i < 4000; ++i) tokenizer::append_utf8(wide, static_cast<char32_t>(0x4E00 + 2 * i));
  EXPECT_EQ(error_of_pattern(wide + "]{2}"), "");
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(10));
}

TEST(RegexLexeme, texts_that_nearly_match_take_linear_time) {
  const auto lexeme = compile("(a*)*(a|aa)+$b?");
  const auto begin = std::chrono::steady_clock::now();
  EXPECT_FALSE(matches(*lexeme, std::string(1 << 20, 'a') + "c"));
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(5));
}

}  // namespace
}  // namespace parley::inference::grammar
