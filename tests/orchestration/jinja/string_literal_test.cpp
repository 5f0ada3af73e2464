#include "orchestration/jinja/string_literal.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "orchestration/jinja/template.h"

namespace parley::orchestration::jinja {
namespace {

std::string unescaped(const std::string& literal) { return unescape(literal, 0, literal.size()); }

TEST(StringLiteral, KnowsPythonsEscapes) {
  const std::pair<const char*, const char*> cases[] = {
      {R"(plain é)", "plain é"},   {R"(\n\t\r\a\b\f\v)", "\n\t\r\a\b\f\v"},
      {R"(\\ \' \")", "\\ ' \""},  {R"(\x41\u00e9\U0001F600)", "Aé😀"},
      {R"(\101\60\0601)", "A001"}, {"a\\\nb", "ab"},  // the line goes on
      {R"(\q\d\ )", "\\q\\d\\ "},
  };
  for (const auto& [literal, value] : cases) EXPECT_EQ(unescaped(literal), value) << literal;
  EXPECT_EQ(unescaped(R"(\0)"), std::string(1, '\0'));
}

TEST(StringLiteral, ReadsOnlyItsPartOfTheSource) {
  const std::string source = R"({{ 'a\x41' }})";
  EXPECT_EQ(unescape(source, 4, 9), "aA");
  EXPECT_THROW(unescape(R"('\x4'1)", 1, 4), TemplateError);  // the digits do not reach behind the end
}

TEST(StringLiteral, RefusesEscapesOfNoCharacter) {
  for (const char* literal : {R"(\x4)", R"(\xg1)", R"(\u12)", R"(\ud800)", R"(\udfff)", R"(\U00110000)",
                              R"(\Uffffffff)", R"(\N{DASH})", R"(\x-1)"}) {
    EXPECT_THROW(unescaped(literal), TemplateError) << literal;
  }
}

}  // namespace
}  // namespace parley::orchestration::jinja
