#include "orchestration/tools/http_tool_text.h"

#include <gtest/gtest.h>

namespace parley::orchestration::tools {
namespace {

std::string shown(std::string_view bytes, std::string_view content_type) {
  return shown_text(bytes, parse_media_type(content_type));
}

TEST(HttpToolTextTest, ReadsMediaTypes) {
  EXPECT_EQ(parse_media_type("Text/HTML ; Charset=\"UTF-8\"; x=y").name, "text/html");
  EXPECT_EQ(parse_media_type("Text/HTML ; Charset=\"UTF-8\"; x=y").charset, "utf-8");
  EXPECT_EQ(parse_media_type("").name, "");
  EXPECT_EQ(parse_media_type(";charset=").charset, "");
}

TEST(HttpToolTextTest, TellsTextFromData) {
  for (const char* type :
       {"text/csv", "application/json", "application/problem+json", "application/xml", "image/svg+xml",
        "application/x-ndjson", "application/javascript", "application/x; charset=utf-8", ""}) {
    EXPECT_TRUE(is_text(parse_media_type(type), "x")) << type;
  }
  for (const char* type :
       {"image/png", "application/pdf", "application/octet-stream", "audio/mpeg", "video/mp4; charset=x"}) {
    EXPECT_FALSE(is_text(parse_media_type(type), "x")) << type;
  }
  EXPECT_FALSE(is_text(parse_media_type(""), std::string_view("a\0b", 3)));
}

// The expected texts were written down from Python's codecs.
TEST(HttpToolTextTest, ConvertsEncodings) {
  EXPECT_EQ(shown("Z\xFCrich \x80", "text/plain; charset=iso-8859-1"), "Z\xC3\xBCrich \xE2\x82\xAC");
  EXPECT_EQ(shown("\x93\xFA\x96\x7B", "text/plain; charset=Shift_JIS"), "\xE6\x97\xA5\xE6\x9C\xAC");
  EXPECT_EQ(shown("\xCF\xF0\xE8", "text/plain; charset=windows-1251"), "\xD0\x9F\xD1\x80\xD0\xB8");
  EXPECT_EQ(shown(std::string_view("\xFF\xFE"
                                   "a\0\xAC\x20",
                                   6),
                  "text/plain; charset=utf-16"),
            "a\xE2\x82\xAC");
  EXPECT_EQ(shown("\xC4\xE3\xBA\xC3", "text/plain; charset=gb18030"), "\xE4\xBD\xA0\xE5\xA5\xBD");
  EXPECT_EQ(shown("\xC3\xA9", "text/plain; charset=no-such"), "\xC3\xA9");
}

TEST(HttpToolTextTest, MendsUtf8AndDropsTheByteOrderMark) {
  EXPECT_EQ(shown("\xEF\xBB\xBF"
                  "a\xFF\xC3",
                  "text/plain"),
            "a\xEF\xBF\xBD\xEF\xBF\xBD");
}

TEST(HttpToolTextTest, DropsControlCharactersAndEscapeSequences) {
  using std::string_view_literals::operator""sv;
  const std::string_view noise =
      "a\r\n\tb\0\x07\x1b[31;1mred\x1b[0m\x7f\xC2\x9B"
      "1mc\x1b"sv;
  EXPECT_EQ(shown(noise, "text/plain"), "a\n\tbredc");
  EXPECT_EQ(shown_text("\x1b["), "");
  EXPECT_EQ(shown_text("\x1b[12"), "");
}

TEST(HttpToolTextTest, CompactsJsonAndKeepsWhatIsNone) {
  EXPECT_EQ(shown("{\n  \"a\" : [ 1.50, \"M\\u00fcnchen\\n\" ]\n}", "application/json"),
            "{\"a\":[1.50,\"M\xC3\xBCnchen\\n\"]}");
  EXPECT_EQ(shown("{\"n\":9007199254740993}", "application/json"), "{\"n\":9007199254740993}");
  EXPECT_EQ(shown("{not json", "application/json"), "{not json");
  EXPECT_EQ(shown("{\"a\":1, \"a\":2}", "application/json"), "{\"a\":1, \"a\":2}");
  EXPECT_EQ(shown("\"a\\u001b[31m\"", "application/json"), "\"a\\u001b[31m\"") << "escaped, so harmless";
}

}  // namespace
}  // namespace parley::orchestration::tools
