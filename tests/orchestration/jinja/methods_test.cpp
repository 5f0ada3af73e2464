// Which methods values have, and what they are as values. Expected texts are those of Python's jinja2.

#include "orchestration/jinja/methods.h"

#include <gtest/gtest.h>

#include "orchestration/jinja/interpreter.h"
#include "tests/orchestration/jinja/render_helper.h"

namespace parley::orchestration::jinja {
namespace {

TEST(Methods, AreValuesOfTheirOwn) {
  expect_renders({
      {"{% set f = 'a-b'.split %}{{ f('-') }}", "['a', 'b']"},
      {"{% set g = {'a': 1}.get %}{{ g('a') }}{{ g('b') is none }}", "1True"},
      {"{{ 'x'.upper is callable, {}.items is callable, [].count is callable }}", "(True, True, True)"},
      {"{{ 'x'['upper']() }}", "X"},
      {"{{ {'a': 1}['items'] is callable }}", "True"},
      {"{{ 'x'.nope is defined }}", "False"},
  });
}

TEST(Methods, BelongToTheirType) {
  const Value text = Value::text("x", 1);
  const Value list = Value::list({});
  const Value dict = Value::dict({});
  EXPECT_NE(find_method(text, "upper"), nullptr);
  EXPECT_NE(find_method(text, "isdigit"), nullptr);
  EXPECT_NE(find_method(list, "append"), nullptr);
  EXPECT_NE(find_method(dict, "items"), nullptr);
  EXPECT_EQ(find_method(text, "append"), nullptr);
  EXPECT_EQ(find_method(list, "items"), nullptr);
  EXPECT_EQ(find_method(dict, "upper"), nullptr);
  for (const Value& other :
       {Value(), Value::none(), Value::integer(1), Value::floating(1), Value::boolean(true)}) {
    EXPECT_EQ(find_method(other, "upper"), nullptr);
    EXPECT_EQ(find_method(other, "items"), nullptr);
  }
}

TEST(Methods, KeepTheirReceiver) {
  const RenderLimits limits;
  Interpreter interpreter("", limits, {});
  const auto method = bound_method(interpreter, Value::text("abc", 1), "upper");
  ASSERT_TRUE(method);
  EXPECT_EQ(method->as_object()->call(interpreter, {}).as_text().view(), "ABC");
  EXPECT_FALSE(bound_method(interpreter, Value::text("abc", 1), "nope"));
}

}  // namespace
}  // namespace parley::orchestration::jinja
