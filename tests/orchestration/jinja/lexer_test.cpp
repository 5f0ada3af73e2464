#include "orchestration/jinja/lexer.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "orchestration/jinja/template.h"

namespace parley::orchestration::jinja {
namespace {

// "data:x name:y sign:+" and so on; brackets of tags as they are written.
std::string tokens_of(const std::string& source) {
  std::string list;
  for (const Token& token : tokenize(normalize_source(source))) {
    static constexpr const char* kNames[] = {"data", "{{",     "}}",  "{%",    "%}",
                                             "name", "string", "int", "float", "sign"};
    if (token.is(TokenKind::end)) break;
    if (!list.empty()) list += " ";
    list += kNames[static_cast<int>(token.kind)];
    if (!token.text.empty()) list += ":" + token.text;
  }
  return list;
}

TEST(Lexer, TextWithoutTagsIsOneToken) {
  EXPECT_EQ(tokens_of("just { text } % #"), "data:just { text } % #");
  EXPECT_EQ(tokens_of(""), "");
  EXPECT_EQ(tokens_of("{"), "data:{");
}

TEST(Lexer, NewlinesAreNormalizedAndTheLastOneGoes) {
  EXPECT_EQ(normalize_source("a\r\nb\rc\n"), "a\nb\nc");
  EXPECT_EQ(normalize_source("a\n\n"), "a\n");
  EXPECT_EQ(normalize_source("\r"), "");
}

TEST(Lexer, FindsWordsInsideTags) {
  EXPECT_EQ(tokens_of("{{ a.b[0] }}"), "{{ name:a sign:. name:b sign:[ int:0 sign:] }}");
  EXPECT_EQ(tokens_of("{%if x//2>=1.5%}"), "{% name:if name:x sign:// int:2 sign:>= float:1.5 %}");
  EXPECT_EQ(tokens_of("{{ naïve_1 }}"), "{{ name:naïve_1 }}");
}

TEST(Lexer, ReadsNumbers) {
  EXPECT_EQ(tokens_of("{{ 0 00 0x1F 0o17 0b11 1_000 1e3 1_0.5e-1_0 }}"),
            "{{ int:0 int:0 int:31 int:15 int:3 int:1000 float:1e3 float:10.5e-10 }}");
  EXPECT_EQ(tokens_of("{{ x.1.2 }}"), "{{ name:x sign:. int:1 sign:. int:2 }}");
}

TEST(Lexer, ReadsStringsWithEscapes) {
  EXPECT_EQ(tokens_of(R"({{ 'it\'s' "a\nb" '\x41\u00e9\101\q' }})"),
            "{{ string:it's string:a\nb string:Aé"
            "A\\q }}");
}

TEST(Lexer, BracketsHideTheEndOfATag) {
  EXPECT_EQ(tokens_of("{{ {'a': {}} }}"), "{{ sign:{ string:a sign:: sign:{ sign:} sign:} }}");
}

TEST(Lexer, SignsTakeAwayWhiteSpace) {
  EXPECT_EQ(tokens_of("a \n {{- x -}} \n b"), "data:a {{ name:x }} data:b");
  EXPECT_EQ(tokens_of("a {%- x -%} b"), "data:a {% name:x %} data:b");
  EXPECT_EQ(tokens_of("a {#- x -#} b"), "data:a data:b");
}

TEST(Lexer, BlocksTakeTheirLineWithThem) {
  EXPECT_EQ(tokens_of("a\n  {% x %}\n  b"), "data:a\n {% name:x %} data:  b");
  EXPECT_EQ(tokens_of("a\n  {%+ x +%}\n  b"), "data:a\n   {% name:x %} data:\n  b");
  EXPECT_EQ(tokens_of("a\n  {{ x }}\n"), "data:a\n   {{ name:x }}");
  EXPECT_EQ(tokens_of("a  {% x %}\n"), "data:a   {% name:x %}");
}

TEST(Lexer, RawBlocksAreData) {
  EXPECT_EQ(tokens_of("{% raw %}{{ x }}{% endraw %}y"), "data:{{ x }} data:y");
  EXPECT_EQ(tokens_of("{%- raw -%} {% if %} {%- endraw -%} y"), "data:{% if %} data:y");
}

TEST(Lexer, OffsetsPointIntoTheSource) {
  const std::vector<Token> tokens = tokenize("ab\n{{ cd }}");
  ASSERT_EQ(tokens.size(), 5u);
  EXPECT_EQ(tokens[1].offset, 3u);
  EXPECT_EQ(tokens[2].offset, 6u);
  EXPECT_EQ(tokens[3].offset, 9u);
}

TEST(Lexer, RefusesWhatIsNotClosed) {
  for (const char* source :
       {"{{", "{%", "{#", "{{ x", "{{ 'x }}", "{{ 'x\\", "{% raw %}", "{% raw %}{% endraw", "{{ x }",
        "{{ ( }}", "{{ ) }}", "{{ (] }}", "{{ ! }}", "{{ 99999999999999999999 }}", "{{ 007 }}",
        "{{ '\\x4' }}", "{{ '\\ud800' }}", "{{ '\\N{DASH}' }}"}) {
    EXPECT_THROW(tokenize(source), TemplateError) << source;
  }
}

}  // namespace
}  // namespace parley::orchestration::jinja
