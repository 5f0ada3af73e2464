#include "app/http/request.h"

#include <gtest/gtest.h>

namespace parley::app::http {
namespace {

TEST(RequestTest, FindsTokensOfLists) {
  EXPECT_TRUE(has_token("keep-alive, Upgrade", "upgrade"));
  EXPECT_TRUE(has_token("gzip;q=0.5, br", "gzip"));
  EXPECT_FALSE(has_token("xgzip, gzipx", "gzip"));
  EXPECT_FALSE(has_token("", "gzip"));
  EXPECT_TRUE(has_token(",, \tclose ,", "close"));
}

TEST(RequestTest, FindsTheFirstFieldOfANameInAnyCase) {
  RequestHead head;
  head.fields = {{"Host", "a"}, {"X-Y", "1"}, {"x-y", "2"}};
  ASSERT_NE(head.find("x-Y"), nullptr);
  EXPECT_EQ(*head.find("x-Y"), "1");
  EXPECT_EQ(head.find("X"), nullptr);
}

TEST(RequestTest, ComparesAsciiOnlyIgnoringCase) {
  EXPECT_TRUE(equal_ignoring_case("WebSocket", "wEBsOCKET"));
  EXPECT_FALSE(equal_ignoring_case("web", "webs"));
  EXPECT_FALSE(equal_ignoring_case("[", "{"));  // as far apart as 'a' and 'A'
  EXPECT_EQ(to_lower("A\xC3\x84Z@["), "a\xC3\x84z@[");
}

}  // namespace
}  // namespace parley::app::http
