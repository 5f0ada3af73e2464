#include "orchestration/jinja/value.h"

#include <gtest/gtest.h>

#include <string>

namespace parley::orchestration::jinja {
namespace {

using Kind = Value::Kind;

Value text(const std::string& bytes) { return Value::text(bytes, kTemplateOrigin); }

TEST(Value, KnowsItsKind) {
  EXPECT_EQ(Value().kind(), Kind::undefined);
  EXPECT_EQ(Value::none().kind(), Kind::none);
  EXPECT_EQ(Value::boolean(true).kind(), Kind::boolean);
  EXPECT_EQ(Value::integer(1).kind(), Kind::integer);
  EXPECT_EQ(Value::floating(1).kind(), Kind::floating);
  EXPECT_EQ(text("x").kind(), Kind::text);
  EXPECT_EQ(Value::list({}).kind(), Kind::list);
  EXPECT_EQ(Value::dict({}).kind(), Kind::dict);
}

TEST(Value, HasPythonsTypeNames) {
  EXPECT_EQ(type_name(Value::none()), "NoneType");
  EXPECT_EQ(type_name(Value::boolean(false)), "bool");
  EXPECT_EQ(type_name(Value::floating(0)), "float");
  EXPECT_EQ(type_name(text("")), "str");
  EXPECT_EQ(type_name(Value::list({})), "list");
  EXPECT_EQ(type_name(Value::dict({})), "dict");
}

TEST(Value, HandedInListsAreFrozen) { EXPECT_TRUE(Value::list({Value::none()}).as_list()->frozen); }

TEST(Dict, KeepsInsertionOrderAndReplacesInPlace) {
  Dict dict;
  dict.set("b", Value::integer(1));
  dict.set("a", Value::integer(2));
  dict.set("b", Value::integer(3));
  ASSERT_EQ(dict.size(), 2u);
  EXPECT_EQ(dict.entries()[0].first.as_text().view(), "b");
  EXPECT_EQ(dict.entries()[0].second.as_integer(), 3);
  EXPECT_EQ(dict.find("a")->as_integer(), 2);
  EXPECT_EQ(dict.find("c"), nullptr);
}

TEST(Dict, KeysAreEqualAsInPython) {
  Dict dict;
  dict.set(Value::integer(1), text("one"));
  dict.set(Value::floating(1.0), text("still one"));
  dict.set(Value::boolean(true), text("true is one"));
  dict.set(text("1"), text("text"));
  dict.set(Value::none(), text("none"));
  dict.set(Value::floating(1.5), text("half"));
  EXPECT_EQ(dict.size(), 4u);
  EXPECT_EQ(dict.find(Value::integer(1))->as_text().view(), "true is one");
  EXPECT_EQ(dict.find("1")->as_text().view(), "text");
  EXPECT_EQ(dict.find(Value::floating(1.5))->as_text().view(), "half");
  EXPECT_EQ(dict.find(Value::floating(2.5)), nullptr);
}

TEST(Dict, OnlyScalarsAreKeys) {
  EXPECT_TRUE(Dict::hashable(Value::none()));
  EXPECT_TRUE(Dict::hashable(text("x")));
  EXPECT_FALSE(Dict::hashable(Value()));
  EXPECT_FALSE(Dict::hashable(Value::list({})));
  EXPECT_FALSE(Dict::hashable(Value::dict({})));
}

TEST(Dict, FindsTheSameWhenItIsLargeEnoughForAnIndex) {
  Dict dict;
  for (int i = 0; i < 200; ++i) {
    dict.set("key" + std::to_string(i), Value::integer(i));
    dict.set(Value::integer(i), Value::integer(-i));
    for (int j = 0; j <= i; ++j) {
      ASSERT_EQ(dict.find("key" + std::to_string(j))->as_integer(), j);
      ASSERT_EQ(dict.find(Value::integer(j))->as_integer(), -j);
    }
  }
  dict.set("key7", Value::integer(70));
  dict.set(Value::floating(9.0), Value::integer(90));
  EXPECT_EQ(dict.size(), 400u);
  EXPECT_EQ(dict.find("key7")->as_integer(), 70);
  EXPECT_EQ(dict.find(Value::integer(9))->as_integer(), 90);
  EXPECT_EQ(dict.find("key200"), nullptr);
}

TEST(Dict, IsLinearInTheNumberOfKeys) {
  // Without an index this would compare 5 billion keys.
  Dict dict;
  for (int i = 0; i < 100'000; ++i) dict.set(std::to_string(i), Value::integer(i));
  EXPECT_EQ(dict.find("99999")->as_integer(), 99'999);
}

}  // namespace
}  // namespace parley::orchestration::jinja
