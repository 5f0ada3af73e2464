#include "app/http/percent.h"

#include <gtest/gtest.h>

namespace parley::app::http {
namespace {

TEST(PercentTest, DecodesOnce) {
  EXPECT_EQ(decode_percent("/a%20b%2Fc%252e"), "/a b/c%2e");
  EXPECT_EQ(decode_percent(""), "");
  EXPECT_EQ(decode_percent("%FF"), "\xFF");
}

TEST(PercentTest, RefusesWhatIsNoByte) {
  for (const char* text : {"%", "%1", "a%g0", "%0g", "%%20", "%00", "%+1"}) {
    EXPECT_EQ(decode_percent(text), std::nullopt) << text;
  }
}

}  // namespace
}  // namespace parley::app::http
