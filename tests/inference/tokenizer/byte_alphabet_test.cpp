#include "inference/tokenizer/byte_alphabet.h"

#include <gtest/gtest.h>

#include <set>

#include "inference/tokenizer/utf8.h"

namespace parley::inference::tokenizer {
namespace {

TEST(ByteAlphabet, every_byte_has_its_own_character_and_comes_back) {
  std::set<std::string> names;
  for (int byte = 0; byte < 256; ++byte) {
    const std::string bytes(1, static_cast<char>(byte));
    const std::string name = name_of_bytes(bytes);
    EXPECT_TRUE(names.insert(name).second);
    EXPECT_TRUE(is_valid_utf8(name));
    EXPECT_EQ(bytes_of_name(name), bytes);
  }
}

TEST(ByteAlphabet, is_that_of_gpt2) {
  EXPECT_EQ(bytes_of_name("ĠHello"), " Hello");
  EXPECT_EQ(bytes_of_name("ĊĉčĀ"), std::string("\n\t\r\0", 4));
  EXPECT_EQ(bytes_of_name("Ã©"), "é");
  EXPECT_EQ(name_of_bytes("\x7F\xA0\xAD"), "ġłŃ");
}

TEST(ByteAlphabet, refuses_other_characters) {
  EXPECT_EQ(bytes_of_name("a b"), std::nullopt);
  EXPECT_EQ(bytes_of_name("中"), std::nullopt);
  EXPECT_EQ(bytes_of_name("\u0144"), std::nullopt);  // the first past the alphabet
  EXPECT_EQ(bytes_of_name("\n"), std::nullopt);
  EXPECT_EQ(bytes_of_name("\xFF"), std::nullopt);
  EXPECT_EQ(bytes_of_name(""), "");
}

}  // namespace
}  // namespace parley::inference::tokenizer
