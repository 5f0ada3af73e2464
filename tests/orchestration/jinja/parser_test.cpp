#include "orchestration/jinja/parser.h"

#include <gtest/gtest.h>

#include <string>

#include "tests/orchestration/jinja/render_helper.h"

namespace parley::orchestration::jinja {
namespace {

std::string repeated(const std::string& text, std::size_t times) {
  std::string all;
  for (std::size_t i = 0; i < times; ++i) all += text;
  return all;
}

TEST(Parser, ErrorsNameLineColumnAndSnippet) {
  EXPECT_EQ(error_of("line one\n  {{ a b }}"),
            "chat template line 2, column 8: expected '}}', got 'b', near `b }}`");
  EXPECT_EQ(error_of("äö{{ 'x' + }}"),
            "chat template line 1, column 12: expected an expression, got '}}', near `}}`");
}

TEST(Parser, ErrorsSayWhatIsMissing) {
  EXPECT_NE(error_of("{% if x %}a").find("looking for 'endif'"), std::string::npos);
  EXPECT_NE(error_of("{% for x in y %}a{% endif %}").find("'endif' is unknown, or closes nothing"),
            std::string::npos);
  EXPECT_NE(error_of("{% include 'x' %}").find("'include' is unknown"), std::string::npos);
  EXPECT_NE(error_of("{% for x in y recursive %}{% endfor %}").find("recursive"), std::string::npos);
  EXPECT_NE(error_of("{% break %}").find("outside any loop"), std::string::npos);
}

TEST(Parser, JumpsDoNotLeaveMacros) {
  EXPECT_NE(error_of("{% for x in [1] %}{% macro m() %}{% break %}{% endmacro %}{% endfor %}"), "");
  EXPECT_EQ(render_text(
                "{% macro m() %}{% for x in [1, 2] %}{{ x }}{% break %}{% endfor %}{% endmacro %}{{ m() }}"),
            "1");
}

TEST(Parser, KeepsNamesOnce) {
  const ParsedTemplate parsed = parse("{{ a }}{{ b }}{{ a }}");
  EXPECT_EQ(parsed.names, (std::vector<std::string>{"a", "b"}));
}

TEST(Parser, RefusesSourcesAboveItsLimit) {
  EXPECT_NE(error_of(std::string((1u << 20) + 1, 'x')).find("larger than 1 MiB"), std::string::npos);
}

TEST(Parser, BoundsItsRecursion) {
  const std::size_t many = 100'000;
  EXPECT_NE(error_of("{{ " + repeated("(", many) + "1" + repeated(")", many) + " }}"), "");
  EXPECT_NE(error_of("{{ " + repeated("[", many) + repeated("]", many) + " }}"), "");
  EXPECT_NE(error_of("{{ " + repeated("{1:", many) + "1" + repeated("}", many) + " }}"), "");
  EXPECT_NE(error_of("{{ " + repeated("not ", many) + "x }}"), "");
  EXPECT_NE(error_of("{{ " + repeated("-", many) + "1 }}"), "");
  EXPECT_NE(error_of("{{ " + repeated("f(", many) + repeated(")", many) + " }}"), "");
  EXPECT_NE(error_of("{{ " + repeated("x[", many) + "0" + repeated("]", many) + " }}"), "");
  EXPECT_NE(error_of("{{ " + repeated("1 if x else ", many / 2) + "1 }}"), "");
  EXPECT_NE(error_of(repeated("{% if x %}", many / 2) + repeated("{% endif %}", many / 2)), "");
  EXPECT_NE(error_of(repeated("{% for x in y %}", many / 4)), "");
  EXPECT_NE(error_of("{% set " + repeated("(", many) + "x" + repeated(")", many) + " = 1 %}"), "");
  EXPECT_NE(error_of("{{ " + repeated("x|map(", many) + repeated(")", many) + " }}"), "");
}

TEST(Parser, BoundsTheHeightOfChains) {
  const std::size_t many = 100'000;
  EXPECT_NE(error_of("{{ 1" + repeated(" + 1", many) + " }}"), "");
  EXPECT_NE(error_of("{{ 1" + repeated(" ** 1", many) + " }}"), "");
  EXPECT_NE(error_of("{{ x" + repeated(".a", many) + " }}"), "");
  EXPECT_NE(error_of("{{ x" + repeated("()", many) + " }}"), "");
  EXPECT_NE(error_of("{{ x" + repeated("|e", many) + " }}"), "");
  EXPECT_NE(error_of("{{ x" + repeated(" is true and x", many / 4) + " }}"), "");
  EXPECT_NE(error_of("{{ x" + repeated(" if x", many) + " }}"), "");
}

TEST(Parser, TakesWhatRealTemplatesMayHave) {
  EXPECT_EQ(render_text("{{ " + repeated("(", 60) + "1" + repeated(")", 60) + " }}"), "1");
  EXPECT_EQ(render_text("{{ 1" + repeated(" + 1", 300) + " }}"), "301");
  EXPECT_EQ(render_text("{{ 'a'" + repeated(" ~ 'b'", 5'000) + " }}"), "a" + repeated("b", 5'000));
  EXPECT_EQ(render_text("{% if 0 %}" + repeated("{% elif 0 %}", 5'000) + "{% else %}x{% endif %}"), "x");
  EXPECT_EQ(render_text(repeated("{% if 1 %}", 60) + "x" + repeated("{% endif %}", 60)), "x");
}

}  // namespace
}  // namespace parley::orchestration::jinja
