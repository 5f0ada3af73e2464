#include "orchestration/jinja/value_json.h"

#include <gtest/gtest.h>

#include <string>

#include <boost/json.hpp>

#include "tests/orchestration/jinja/render_helper.h"

namespace parley::orchestration::jinja {
namespace {

namespace json = boost::json;
using Kind = Value::Kind;

constexpr Origin kData = 3;

TEST(ValueJson, ReadsEveryKind) {
  const auto value = parse_json(R"([null, true, -5, 1.5, "x", [], {}])", kData);
  ASSERT_TRUE(value);
  const ValueList& items = value->as_list()->items;
  ASSERT_EQ(items.size(), 7u);
  const Kind kinds[] = {Kind::none, Kind::boolean, Kind::integer, Kind::floating,
                        Kind::text, Kind::list,    Kind::dict};
  for (std::size_t i = 0; i < items.size(); ++i) EXPECT_EQ(items[i].kind(), kinds[i]) << i;
}

TEST(ValueJson, StringsAndKeysGetTheGivenOrigin) {
  const auto value = parse_json(R"({"key": ["text"]})", kData);
  ASSERT_TRUE(value);
  const auto& [key, list] = value->as_dict()->entries()[0];
  for (const Text& text : {key.as_text(), list.as_list()->items[0].as_text()}) {
    text.for_each_run([](std::string_view, Origin origin) { EXPECT_EQ(origin, kData); });
  }
}

TEST(ValueJson, KeepsTheOrderOfKeys) {
  const auto value = parse_json(R"({"z": 1, "a": 2, "m": 3})", kData);
  EXPECT_EQ(render_text("{{ x|tojson }}", {{"x", *value}}), R"({"z": 1, "a": 2, "m": 3})");
}

TEST(ValueJson, IntegersThatDoNotFitBecomeFloats) {
  EXPECT_EQ(parse_json("9223372036854775807", kData)->as_integer(), 9223372036854775807);
  EXPECT_EQ(parse_json("18446744073709551615", kData)->kind(), Kind::floating);
  EXPECT_FALSE(parse_json("123456789012345678901234567890", kData));
}

TEST(ValueJson, FloatsAreTheNearestOnes) {
  EXPECT_EQ(parse_json("3619811.9013671875", kData)->as_floating(), 3619811.9013671875);
  EXPECT_EQ(parse_json("0.1", kData)->as_floating(), 0.1);
}

TEST(ValueJson, OfEqualKeysTheLastCounts) {
  EXPECT_EQ(render_text("{{ x }}", {{"x", *parse_json(R"({"a": 1, "b": 2, "a": 3})", kData)}}),
            "{'a': 3, 'b': 2}");
}

TEST(ValueJson, RefusesWhatIsNotJson) {
  for (const std::string text : {"", "{", "[1,]", "{'a': 1}", "nul", "1 2", "\"\x80\""}) {
    EXPECT_FALSE(parse_json(text, kData)) << text;
  }
}

TEST(ValueJson, RefusesDeepNesting) {
  EXPECT_TRUE(parse_json(std::string(100, '[') + std::string(100, ']'), kData));
  EXPECT_FALSE(parse_json(std::string(200, '[') + std::string(200, ']'), kData));
  EXPECT_FALSE(parse_json(std::string(1'000'000, '['), kData));
}

TEST(ValueJson, WritesWhatItRead) {
  const std::string text = R"({"a":[null,true,-5,1.5E0,"x",{"b":[]}],"c":""})";
  const json::value original = json::parse(text);
  EXPECT_EQ(to_json(from_json(original, kData)), original);
}

TEST(ValueJson, WritesKeysThatAreNotText) {
  Dict dict;
  dict.set(Value::integer(1), Value());
  dict.set(Value::none(), Value::boolean(false));
  EXPECT_EQ(json::serialize(to_json(Value::dict(dict))), R"({"1":null,"null":false})");
}

}  // namespace
}  // namespace parley::orchestration::jinja
