#include "orchestration/jinja/parse_json.h"

#include <gtest/gtest.h>

#include <string>

#include "tests/orchestration/jinja/json_values.h"
#include "tests/orchestration/jinja/render_helper.h"

namespace parley::orchestration::jinja {
namespace {

using Kind = Value::Kind;

constexpr Origin kJsonOrigin = 3;

TEST(ParseJson, ReadsEveryKind) {
  const auto value = parse_json(R"([null, true, -5, 1.5, "x", [], {}])", kJsonOrigin);
  ASSERT_TRUE(value);
  const ValueList& items = value->as_list()->items;
  ASSERT_EQ(items.size(), 7u);
  const Kind kinds[] = {Kind::none, Kind::boolean, Kind::integer, Kind::floating,
                        Kind::text, Kind::list,    Kind::dict};
  for (std::size_t i = 0; i < items.size(); ++i) EXPECT_EQ(items[i].kind(), kinds[i]) << i;
}

TEST(ParseJson, StringsAndKeysGetTheGivenOrigin) {
  const auto value = parse_json(R"({"key": ["text"]})", kJsonOrigin);
  ASSERT_TRUE(value);
  const auto& [key, list] = value->as_dict()->entries()[0];
  for (const Text& text : {key.as_text(), list.as_list()->items[0].as_text()}) {
    text.for_each_run([](std::string_view, Origin origin) { EXPECT_EQ(origin, kJsonOrigin); });
  }
}

TEST(ParseJson, KeepsTheOrderOfKeys) {
  const auto value = parse_json(R"({"z": 1, "a": 2, "m": 3})", kJsonOrigin);
  EXPECT_EQ(render_text("{{ x|tojson }}", {{"x", *value}}), R"({"z": 1, "a": 2, "m": 3})");
}

TEST(ParseJson, IntegersThatDoNotFitBecomeFloats) {
  EXPECT_EQ(parse_json("9223372036854775807", kJsonOrigin)->as_integer(), 9223372036854775807);
  EXPECT_EQ(parse_json("18446744073709551615", kJsonOrigin)->kind(), Kind::floating);
  EXPECT_FALSE(parse_json("123456789012345678901234567890", kJsonOrigin));
}

TEST(ParseJson, FloatsAreTheNearestOnes) {
  EXPECT_EQ(parse_json("3619811.9013671875", kJsonOrigin)->as_floating(), 3619811.9013671875);
  EXPECT_EQ(parse_json("0.1", kJsonOrigin)->as_floating(), 0.1);
}

TEST(ParseJson, OfEqualKeysTheLastCounts) {
  EXPECT_EQ(render_text("{{ x }}", {{"x", *parse_json(R"({"a": 1, "b": 2, "a": 3})", kJsonOrigin)}}),
            "{'a': 3, 'b': 2}");
}

TEST(ParseJson, RefusesWhatIsNotJson) {
  for (const std::string text : {"", "{", "[1,]", "{'a': 1}", "nul", "1 2", "\"\x80\""}) {
    EXPECT_FALSE(parse_json(text, kJsonOrigin)) << text;
  }
}

TEST(ParseJson, RefusesDeepNesting) {
  EXPECT_TRUE(parse_json(std::string(100, '[') + std::string(100, ']'), kJsonOrigin));
  EXPECT_FALSE(parse_json(std::string(200, '[') + std::string(200, ']'), kJsonOrigin));
  EXPECT_FALSE(parse_json(std::string(1'000'000, '['), kJsonOrigin));
}

TEST(ParseJson, IsWhatAnotherParserReads) {
  const std::string text = R"({"a":[null,true,-5,1.5E0,"x",{"b":[]}],"c":""})";
  EXPECT_EQ(to_json(*parse_json(text, kJsonOrigin)), boost::json::parse(text));
}

}  // namespace
}  // namespace parley::orchestration::jinja
