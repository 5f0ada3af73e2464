#include "orchestration/jinja/tag_lexer.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "orchestration/jinja/template.h"

namespace parley::orchestration::jinja {
namespace {

struct ReadTag {
  std::vector<Token> tokens;
  std::size_t end = 0;
};

// The tag at the beginning of `source`.
ReadTag read_tag(const std::string& source) {
  ReadTag read;
  const auto kind = source[1] == '{' ? TagLexer::Kind::variable : TagLexer::Kind::block;
  read.end = TagLexer(source, kind, 0).run(2, read.tokens);
  return read;
}

TEST(TagLexer, GivesTheTagsTokensWithTheirPlaces) {
  const ReadTag read = read_tag("{{ ab[1] }}rest");
  const std::pair<TokenKind, std::uint32_t> expected[] = {
      {TokenKind::variable_begin, 0}, {TokenKind::name, 3}, {TokenKind::sign, 5},
      {TokenKind::integer, 6},        {TokenKind::sign, 7}, {TokenKind::variable_end, 9}};
  ASSERT_EQ(read.tokens.size(), std::size(expected));
  for (std::size_t i = 0; i < read.tokens.size(); ++i) {
    EXPECT_EQ(read.tokens[i].kind, expected[i].first) << i;
    EXPECT_EQ(read.tokens[i].offset, expected[i].second) << i;
  }
  EXPECT_EQ(read.end, 11u);
}

TEST(TagLexer, TakesTheWhiteSpaceItsEndAsksFor) {
  EXPECT_EQ(read_tag("{{ a }}\n b").end, 7u);
  EXPECT_EQ(read_tag("{{ a -}}\n b").end, 10u);
  EXPECT_EQ(read_tag("{% a %}\n b").end, 8u);  // the newline belongs to a block
  EXPECT_EQ(read_tag("{% a %} \nb").end, 7u);
  EXPECT_EQ(read_tag("{% a -%}\n b").end, 10u);
  EXPECT_EQ(read_tag("{% a +%}\n b").end, 8u);
  EXPECT_EQ(after_block("x\ny", 1, '\0'), 2u);
  EXPECT_EQ(after_block("x\ny", 1, '+'), 1u);
  EXPECT_EQ(after_block("x \n y", 1, '-'), 4u);
  EXPECT_EQ(after_block("x", 1, '\0'), 1u);
}

TEST(TagLexer, NumbersKeepTheirValue) {
  const std::pair<const char*, const char*> cases[] = {
      {"{{ 0x1F }}", "31"},
      {"{{ 0b101 }}", "5"},
      {"{{ 0O17 }}", "15"},
      {"{{ 1_000 }}", "1000"},
      {"{{ 1.5e-3 }}", "1.5e-3"},
      {"{{ 1_0.2_5 }}", "10.25"},
      {"{{ 2e5 }}", "2e5"},
      {"{{ 000 }}", "0"},
      {"{{ 9223372036854775807 }}", "9223372036854775807"},
  };
  for (const auto& [source, text] : cases) EXPECT_EQ(read_tag(source).tokens.at(1).text, text) << source;
  EXPECT_TRUE(read_tag("{{ 2e5 }}").tokens.at(1).is(TokenKind::floating));
  EXPECT_EQ(read_tag("{{ x.1.5 }}").tokens.size(), 7u);  // after a dot there are no fractions
}

TEST(TagLexer, RefusesWhatIsNoTag) {
  for (const char* source : {"{{ a", "{{ 'a }}", "{{ (a }}", "{{ a) }}", "{{ (a] }}", "{{ ? }}", "{{ a %}",
                             "{% a }}", "{{ 9223372036854775808 }}", "{{ 0x }}", "{{ 0b2 }}", "{{ 01 }}"}) {
    EXPECT_THROW(read_tag(source), TemplateError) << source;
  }
}

}  // namespace
}  // namespace parley::orchestration::jinja
