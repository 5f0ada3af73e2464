#include "orchestration/tools/http_tool_json.h"

#include <gtest/gtest.h>

#include <random>

#include "inference/json/json_writer.h"
#include "tests/orchestration/tools/http_fixture.h"

namespace parley::orchestration::tools {
namespace {

TEST(HttpToolJsonTest, DropsWhiteSpaceOutsideStringsOnly) {
  EXPECT_EQ(compact_json(" {\n\t\"a b\" : [ 1 , \" c \\\" , d \" ],\r\n \"e\" : {} } "),
            R"({"a b":[1," c \" , d "],"e":{}})");
  EXPECT_EQ(compact_json("\"x\""), "\"x\"");
}

TEST(HttpToolJsonTest, KeepsTheDigitsOfNumbers) {
  EXPECT_EQ(compact_json("[1000000.0, 12.50, 1e3, 3.14159265358979323846, 18446744073709551615]"),
            "[1000000.0,12.50,1e3,3.14159265358979323846,18446744073709551615]");
}

TEST(HttpToolJsonTest, WritesCharactersInPlaceOfEscapes) {
  EXPECT_EQ(compact_json(R"("M\u00fcnchen \u20AC \ud83d\ude00 \\u00fc \/ \u0041\n\u0007")"),
            "\"M\xC3\xBCnchen \xE2\x82\xAC \xF0\x9F\x98\x80 \\\\u00fc / \\u0041\\n\\u0007\"");
}

TEST(HttpToolJsonTest, LeavesAloneWhatIsNoJson) {
  for (const char* text : {"", "{ not json", "{\"a\": 1, \"a\": 2}", "[1e999 ]", "\"\\ud800\" "}) {
    EXPECT_EQ(compact_json(text), text);
  }
}

TEST(HttpToolJsonTest, KeepsTheValue) {
  std::mt19937 random(11);
  const std::string pieces[] = {"\\u00e9", "\\ud83d\\ude00", "\\\\",    "\\\"",     " ",
                                "x",       "\\u2028",        "\\u001f", "\xC3\xA9", "\\/"};
  for (int round = 0; round < 500; ++round) {
    std::string text = "[ \"";
    for (int i = 0; i < 12; ++i) text += pieces[random() % 10];
    text += "\" , { \"k\" : -0.5e-3 } ]";
    const std::string compact = compact_json(text);
    EXPECT_LE(compact.size(), text.size());
    EXPECT_EQ(inference::json::to_json_text(json_of(compact)), inference::json::to_json_text(json_of(text)));
  }
}

}  // namespace
}  // namespace parley::orchestration::tools
