#include "orchestration/tools/base64.h"

#include <gtest/gtest.h>

namespace parley::orchestration::tools {
namespace {

// RFC 4648, section 10.
TEST(Base64, GivesThePublishedVectors) {
  const std::pair<const char*, const char*> vectors[] = {{"", ""},
                                                         {"f", "Zg=="},
                                                         {"fo", "Zm8="},
                                                         {"foo", "Zm9v"},
                                                         {"foob", "Zm9vYg=="},
                                                         {"fooba", "Zm9vYmE="},
                                                         {"foobar", "Zm9vYmFy"}};
  for (const auto& [bytes, text] : vectors) {
    EXPECT_EQ(to_base64(bytes), text);
    EXPECT_EQ(from_base64(text), bytes);
  }
}

TEST(Base64, RoundTripsEveryByte) {
  std::string bytes;
  for (int i = 0; i < 256; ++i) bytes += static_cast<char>(i);
  EXPECT_EQ(from_base64(to_base64(bytes)), bytes);
}

TEST(Base64, SkipsLineBreaksAndMissingPadding) {
  EXPECT_EQ(from_base64("Zm9v\r\nYg"), "foob");
  EXPECT_EQ(from_base64("Zg"), "f");
}

TEST(Base64, RefusesWhatIsNone) {
  for (const char* text : {"Z", "Zg=", "Zm9v=", "Z=g=", "Zm9_", "Zm9v====", "=", "Zg==Zg==", "\xFF"}) {
    EXPECT_EQ(from_base64(text), std::nullopt) << text;
  }
}

}  // namespace
}  // namespace parley::orchestration::tools
