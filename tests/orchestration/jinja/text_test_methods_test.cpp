// isdigit() and its like. Expected texts are those of Python's jinja2.

#include "orchestration/jinja/text_test_methods.h"

#include <gtest/gtest.h>

#include <string>

#include "tests/orchestration/jinja/render_helper.h"

namespace parley::orchestration::jinja {
namespace {

TEST(TextTestMethods, LookAtEveryCharacter) {
  expect_renders({
      {"{{ 'a1'.isalnum(), 'a 1'.isalnum(), 'é1'.isalnum(), ''.isalnum() }}", "(True, False, True, False)"},
      {"{{ 'ab'.isalpha(), 'a1'.isalpha(), 'é漢'.isalpha(), ''.isalpha() }}", "(True, False, True, False)"},
      {"{{ '12'.isdigit(), '1a'.isdigit(), '١٢'.isdigit(), ''.isdigit() }}", "(True, False, True, False)"},
      {"{{ '12'.isdecimal(), '1.2'.isdecimal(), '12'.isnumeric(), '-1'.isnumeric() }}",
       "(True, False, True, False)"},
      {R"({{ ' \t\n'.isspace(), '\u00a0\u3000'.isspace(), 'a '.isspace(), ''.isspace() }})",
       "(True, True, False, False)"},
  });
}

TEST(TextTestMethods, CaseNeedsOneCasedLetter) {
  expect_renders({
      {"{{ 'abc'.islower(), 'aBc'.islower(), 'a1!'.islower(), '1'.islower(), ''.islower() }}",
       "(True, False, True, False, False)"},
      {"{{ 'ABC'.isupper(), 'AbC'.isupper(), 'A1!'.isupper(), '1'.isupper(), ''.isupper() }}",
       "(True, False, True, False, False)"},
      {"{{ 'é'.islower(), 'É'.isupper(), '漢'.islower(), 'ß'.islower() }}", "(True, True, False, True)"},
  });
}

TEST(TextTestMethods, TakeNoArguments) {
  expect_failures({
      {"{{ 'a'.isdigit(1) }}", "takes at most 0 arguments"},
  });
}

TEST(TextTestMethods, BytesThatAreNoTextAreNothing) {
  for (const char* method : {"isalnum", "isalpha", "isdigit", "isspace", "islower", "isupper"}) {
    EXPECT_EQ(render_text("{{ x." + std::string(method) + "() }}", {{"x", Value::text("\xff", 1)}}), "False")
        << method;
  }
  EXPECT_FALSE(is_lower_text("\xff"));
  EXPECT_TRUE(is_lower_text("a\xff"));
  EXPECT_TRUE(is_upper_text("A\xff"));
}

}  // namespace
}  // namespace parley::orchestration::jinja
