#include "inference/json/json.h"

#include <gtest/gtest.h>

#include <string>

#include "inference/json/json_writer.h"

namespace parley::inference::json {
namespace {

constexpr JsonLimits kLimits{.max_bytes = 4096};

JsonValue good(std::string_view text) {
  auto parsed = parse_json(text, kLimits);
  if (auto* error = std::get_if<JsonError>(&parsed)) {
    ADD_FAILURE() << text << ": " << error->message;
    return nullptr;
  }
  return std::get<JsonValue>(parsed);
}

JsonError bad(std::string_view text, const JsonLimits& limits = kLimits) {
  auto parsed = parse_json(text, limits);
  if (std::holds_alternative<JsonValue>(parsed)) {
    ADD_FAILURE() << text << " was accepted";
    return {};
  }
  return std::get<JsonError>(parsed);
}

std::string nested(std::size_t depth) { return std::string(depth, '[') + std::string(depth, ']'); }

TEST(JsonTest, RoundTripsEveryKind) {
  const std::string text =
      R"({"a":[1,-2,18446744073709551615,0.5,true,false,null],"b":{"c":"\u00e9\n\"\\\u0001"},"d":{},"e":[]})";
  EXPECT_EQ(
      to_json_text(good(text)),
      "{\"a\":[1,-2,18446744073709551615,0.5,true,false,null],\"b\":{\"c\":\"\xC3\xA9\\n\\\"\\\\\\u0001\"},"
      "\"d\":{},\"e\":[]}");
}

TEST(JsonTest, RefusesWhatIsNotOneWholeValue) {
  for (const char* text : {"", " ", "{", "[1,]", "{\"a\":}", "{} {}", "[1] x", "{'a':1}", "nul", "\"a", "01",
                           "+1", "[1 2]", "{\"a\" 1}", "\"\t\"", "\xEF\xBB\xBF"}) {
    EXPECT_EQ(bad(text).kind, JsonError::Kind::not_json) << text;
  }
}

TEST(JsonTest, RefusesBytesThatAreNotUtf8) {
  EXPECT_NE(bad("\"\xC3\"").message.find("UTF-8"), std::string::npos);
  EXPECT_NE(bad("\"\xED\xA0\x80\"").message.find("UTF-8"), std::string::npos);
}

TEST(JsonTest, RefusesHalfASurrogatePair) {
  EXPECT_NE(bad(R"("\ud800")").message.find("surrogate"), std::string::npos);
  EXPECT_EQ(good(R"("\ud83d\ude00")").as_string(), "\xF0\x9F\x98\x80");
}

TEST(JsonTest, BoundsDepthExactly) {
  good(nested(64));
  EXPECT_EQ(bad(nested(65)).kind, JsonError::Kind::too_deep);
  EXPECT_EQ(bad(nested(2000)).kind, JsonError::Kind::too_deep);
}

TEST(JsonTest, BoundsSizeExactly) {
  const JsonLimits limits{.max_bytes = 5};
  EXPECT_TRUE(std::holds_alternative<JsonValue>(parse_json("\"abc\"", limits)));
  EXPECT_EQ(bad("\"abcd\"", limits).kind, JsonError::Kind::too_large);
}

TEST(JsonTest, RefusesARepeatedKeyAtAnyLevelAndNamesIt) {
  EXPECT_EQ(bad(R"({"a":1,"b":2,"a":3})").key, "a");
  EXPECT_EQ(bad(R"([{"x":{"b":1,"b":2}}])").key, "b");
  EXPECT_EQ(bad(R"({"a":1,"\u0061":2})").kind, JsonError::Kind::duplicate_key);
  good(R"([{"a":1},{"a":2}])");
}

TEST(JsonTest, NamesTheFieldOfANumberThatDoesNotFit) {
  for (const char* value :
       {"NaN", "-Infinity", "Infinity", "1e999", "-1e400", "123456789012345678901234567890"}) {
    const JsonError error = bad(std::string(R"({"messages":[],"temperature": )") + value + "}");
    EXPECT_EQ(error.kind, JsonError::Kind::not_a_number) << value;
    EXPECT_EQ(error.key, "temperature") << value;
  }
}

}  // namespace
}  // namespace parley::inference::json
