#include "inference/json/json_writer.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>

namespace parley::inference::json {
namespace {

TEST(JsonWriterTest, WritesEveryKind) {
  JsonObject object;
  object["text"] = "\xC3\xA9\n\"\\\x01\x7F";
  object["numbers"] =
      JsonArray{1, -2, std::numeric_limits<std::uint64_t>::max(), std::numeric_limits<std::int64_t>::min()};
  object["words"] = JsonArray{true, false, nullptr};
  object["empty"] = JsonArray{JsonObject{}, JsonArray{}, ""};
  EXPECT_EQ(to_json_text(object),
            "{\"text\":\"\xC3\xA9\\n\\\"\\\\\\u0001\\u007f\","
            "\"numbers\":[1,-2,18446744073709551615,-9223372036854775808],"
            "\"words\":[true,false,null],\"empty\":[{},[],\"\"]}");
}

TEST(JsonWriterTest, WritesNumbersThatJsonCannotHoldAsNull) {
  const JsonArray numbers{std::nan(""), std::numeric_limits<double>::infinity(), -0.25, 0.4, 1e300};
  EXPECT_EQ(to_json_text(numbers), "[null,null,-0.25,0.4,1e+300]");
}

TEST(JsonWriterTest, WritesFloatsAsPeopleDo) {
  const JsonArray numbers{json_number(0.7f), json_number(-1e-7f), json_number(3.0f),
                          json_number(std::nanf(""))};
  EXPECT_EQ(to_json_text(numbers), "[0.7,-1e-07,3,null]");
}

TEST(JsonWriterTest, WritesBytesThatAreNotUtf8AsReplacementCharacters) {
  const JsonValue text(std::string_view("a\xFF\xE2\x82z\xE2\x82\xAC"));
  const std::string written = to_json_text(text);
  EXPECT_EQ(written, "\"a\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBDz\xE2\x82\xAC\"");
}

TEST(JsonWriterTest, WritesWhatTheParserReadsBack) {
  for (const char* text : {"0.1", "1e-300", "123456789.123", "-0.5", "1e+22", "5e-324"}) {
    const auto parsed = parse_json(text, {.max_bytes = 100});
    ASSERT_TRUE(std::holds_alternative<JsonValue>(parsed)) << text;
    EXPECT_EQ(to_json_text(std::get<JsonValue>(parsed)), text);
  }
}

}  // namespace
}  // namespace parley::inference::json
