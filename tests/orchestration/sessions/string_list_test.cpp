#include "orchestration/sessions/string_list.h"

#include <gtest/gtest.h>

namespace parley::orchestration::sessions {
namespace {

using List = std::vector<std::string>;

TEST(StringList, ComesBackAsItWas) {
  const List lists[] = {{},
                        {""},
                        {"a", "b"},
                        {"a\"b\\c\n\t", std::string("\0\x01", 2),
                         "Gr\xC3\xB6\xC3\x9F"
                         "e"},
                        List(1000, std::string(1000, 'x'))};
  for (const List& list : lists) EXPECT_EQ(decode_strings(encode_strings(list)), list);
}

TEST(StringList, BytesThatAreNotUtf8AreReplaced) {
  EXPECT_EQ(decode_strings(encode_strings({"a\xFFz"})), (List{"a\xEF\xBF\xBDz"}));
}

TEST(StringList, OtherTextIsNone) {
  for (const char* text : {"", "null", "{}", "[1]", "[\"a\",null]", "[\"a\"", "\"a\"", "[\"\xFF\"]"})
    EXPECT_EQ(decode_strings(text), std::nullopt) << text;
}

}  // namespace
}  // namespace parley::orchestration::sessions
