#include "inference/json_schema/uri.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>

namespace parley::inference::json_schema {
namespace {

TEST(UriTest, SplitsIntoFiveParts) {
  const UriParts parts = split_uri("https://user@example.com:80/a/b?c=d?e#f#g");
  EXPECT_EQ(parts.scheme, "https");
  EXPECT_EQ(parts.authority, "user@example.com:80");
  EXPECT_EQ(parts.path, "/a/b");
  EXPECT_EQ(parts.query, "c=d?e");
  EXPECT_EQ(parts.fragment, "f#g");
  const UriParts relative = split_uri("a:1/b");  // a scheme, since it looks like one
  EXPECT_EQ(relative.scheme, "a");
  EXPECT_FALSE(split_uri("1a:b").scheme);
  EXPECT_FALSE(split_uri("").fragment);
  EXPECT_EQ(split_uri("#").fragment, "");
  EXPECT_EQ(split_uri("//host").authority, "host");
}

// RFC 3986, 5.4: all examples, fragments cut off.
TEST(UriTest, ResolvesTheExamplesOfTheStandard) {
  constexpr std::pair<std::string_view, std::string_view> kExamples[] = {
      {"g:h", "g:h"},
      {"g", "http://a/b/c/g"},
      {"./g", "http://a/b/c/g"},
      {"g/", "http://a/b/c/g/"},
      {"/g", "http://a/g"},
      {"//g", "http://g"},
      {"?y", "http://a/b/c/d;p?y"},
      {"g?y", "http://a/b/c/g?y"},
      {"#s", "http://a/b/c/d;p?q"},
      {"g#s", "http://a/b/c/g"},
      {"g?y#s", "http://a/b/c/g?y"},
      {";x", "http://a/b/c/;x"},
      {"g;x", "http://a/b/c/g;x"},
      {"", "http://a/b/c/d;p?q"},
      {".", "http://a/b/c/"},
      {"./", "http://a/b/c/"},
      {"..", "http://a/b/"},
      {"../", "http://a/b/"},
      {"../g", "http://a/b/g"},
      {"../..", "http://a/"},
      {"../../", "http://a/"},
      {"../../g", "http://a/g"},
      {"../../../g", "http://a/g"},
      {"../../../../g", "http://a/g"},
      {"/./g", "http://a/g"},
      {"/../g", "http://a/g"},
      {"g.", "http://a/b/c/g."},
      {".g", "http://a/b/c/.g"},
      {"g..", "http://a/b/c/g.."},
      {"..g", "http://a/b/c/..g"},
      {"./../g", "http://a/b/g"},
      {"./g/.", "http://a/b/c/g/"},
      {"g/./h", "http://a/b/c/g/h"},
      {"g/../h", "http://a/b/c/h"},
      {"g;x=1/./y", "http://a/b/c/g;x=1/y"},
      {"g;x=1/../y", "http://a/b/c/y"},
      {"g?y/./x", "http://a/b/c/g?y/./x"},
      {"g#s/../x", "http://a/b/c/g"},
      {"http:g", "http:g"},
  };
  for (const auto& [reference, resolved] : kExamples) {
    EXPECT_EQ(resolve_uri("http://a/b/c/d;p?q", reference), resolved) << reference;
  }
}

TEST(UriTest, ResolvesAgainstWhatIsNoWholeUri) {
  EXPECT_EQ(resolve_uri("", "item.json"), "item.json");
  EXPECT_EQ(resolve_uri("", "#a"), "");
  EXPECT_EQ(resolve_uri("http://host", "a"), "http://host/a");
  EXPECT_EQ(resolve_uri("urn:uuid:1", "#a"), "urn:uuid:1");
  EXPECT_EQ(resolve_uri("dir/root.json", "item.json"), "dir/item.json");
}

TEST(UriTest, DecodesEscapes) {
  EXPECT_EQ(decode_percent("a%25b%2F%C3%A9"), "a%b/\xC3\xA9");
  EXPECT_EQ(decode_percent("%"), "%");
  EXPECT_EQ(decode_percent("%4"), "%4");
  EXPECT_EQ(decode_percent("%zz%-1"), "%zz%-1");
}

}  // namespace
}  // namespace parley::inference::json_schema
