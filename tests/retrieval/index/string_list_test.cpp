#include "retrieval/index/string_list.h"

#include <gtest/gtest.h>

namespace parley::retrieval::index {
namespace {

using Strings = std::vector<std::string>;

TEST(StringList, GivesBackWhatItWasGiven) {
  for (const Strings& list : {Strings{}, Strings{""}, Strings{"", "a", ""}, Strings{"**/*.md", "ü \n"}})
    EXPECT_EQ(decode_list(encode_list(list)), list);
}

TEST(StringList, EndsItemsAtNul) {
  EXPECT_EQ(decode_list(encode_list({std::string("a\0b", 3), "c"})), (Strings{"a", "c"}));
  EXPECT_EQ(decode_list("no end"), Strings{});
}

}  // namespace
}  // namespace parley::retrieval::index
