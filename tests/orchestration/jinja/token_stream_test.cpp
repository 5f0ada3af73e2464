#include "orchestration/jinja/token_stream.h"

#include <gtest/gtest.h>

#include <string>

#include "orchestration/jinja/lexer.h"
#include "orchestration/jinja/template.h"

namespace parley::orchestration::jinja {
namespace {

class TokenStreamTest : public testing::Test {
 protected:
  template <typename Act>
  std::string failure(Act act) {
    try {
      act();
    } catch (const TemplateError& error) {
      return error.what();
    }
    return "";
  }

  const std::string source_ = "{{ a + 1 }}";
  TokenStream tokens_{source_, tokenize(source_)};
};

TEST_F(TokenStreamTest, ReadsFromFrontToBackAndStaysAtTheEnd) {
  EXPECT_TRUE(tokens_.peek().is(TokenKind::variable_begin));
  EXPECT_TRUE(tokens_.peek(1).is_name("a"));
  EXPECT_TRUE(tokens_.next().is(TokenKind::variable_begin));
  EXPECT_TRUE(tokens_.next().is_name("a"));
  EXPECT_TRUE(tokens_.next().is_sign("+"));
  EXPECT_EQ(tokens_.next().text, "1");
  EXPECT_TRUE(tokens_.next().is(TokenKind::variable_end));
  for (int i = 0; i < 3; ++i) EXPECT_TRUE(tokens_.next().is(TokenKind::end));
  EXPECT_TRUE(tokens_.peek(99).is(TokenKind::end));
}

TEST_F(TokenStreamTest, TakesOnlyWhatIsAccepted) {
  tokens_.next();
  EXPECT_FALSE(tokens_.accept_name("b"));
  EXPECT_FALSE(tokens_.accept_sign("a"));
  EXPECT_TRUE(tokens_.accept_name("a"));
  EXPECT_FALSE(tokens_.accept_sign("-"));
  EXPECT_TRUE(tokens_.accept_sign("+"));
  tokens_.expect(TokenKind::integer);
  tokens_.expect(TokenKind::variable_end);
}

TEST_F(TokenStreamTest, SaysWhatWasExpectedAndWhere) {
  tokens_.next();
  EXPECT_EQ(failure([&] { tokens_.expect_sign("("); }),
            "chat template line 1, column 4: expected '(', got 'a', near `a + 1 }}`");
  EXPECT_NE(failure([&] { tokens_.expect_name("in"); }).find("expected 'in', got 'a'"), std::string::npos);
  EXPECT_EQ(tokens_.expect_any_name().text, "a");
  EXPECT_NE(failure([&] { tokens_.expect_any_name(); }).find("expected a name, got '+'"), std::string::npos);
  tokens_.next();
  EXPECT_NE(failure([&] { tokens_.expect(TokenKind::variable_end); }).find("expected '}}', got a number"),
            std::string::npos);
  tokens_.next();
  tokens_.next();
  EXPECT_NE(failure([&] {
              tokens_.expect(TokenKind::block_end);
            }).find("expected '%}', got the end of the template"),
            std::string::npos);
  EXPECT_EQ(failure([&] { tokens_.fail("no"); }), "chat template line 1, column 12: no");
}

}  // namespace
}  // namespace parley::orchestration::jinja
