#include "app/cli/options.h"

#include <gtest/gtest.h>

namespace parley::app::cli {
namespace {

Options declared() {
  Options options("thing FILE [options]", "Does a thing.");
  options.add_value("count", "N", "how many");
  options.add_value("list", "N,N", "which");
  options.add_value("file", "FILE", "the file");
  options.add_flag("json", "as JSON");
  options.allow_positional("file");
  return options;
}

std::string mistake_of(const Arguments& arguments) {
  Options options = declared();
  try {
    options.parse(arguments);
    options.integer("count", 0, 1, 9);
    options.integers("list", {}, 0, 9);
  } catch (const UsageError& error) {
    return error.what();
  }
  return "no error";
}

TEST(Options, ReadsValuesFlagsAndThePositional) {
  Options options = declared();
  ASSERT_TRUE(options.parse({"--count", "3", "x.gguf", "--json", "--list=1,2,3"}));
  EXPECT_EQ(options.integer("count", 0, 1, 9), 3);
  EXPECT_EQ(options.required("file"), "x.gguf");
  EXPECT_TRUE(options.has("json"));
  EXPECT_EQ(options.integers("list", {}, 0, 9), (std::vector<long>{1, 2, 3}));
}

TEST(Options, AbsentOnesHaveTheirDefault) {
  Options options = declared();
  ASSERT_TRUE(options.parse({}));
  EXPECT_EQ(options.integer("count", 7, 1, 9), 7);
  EXPECT_FALSE(options.has("json"));
  EXPECT_EQ(options.text("file"), std::nullopt);
  EXPECT_THROW(options.required("file"), UsageError);
}

TEST(Options, TheLastOfARepeatedOneWins) {
  Options options = declared();
  ASSERT_TRUE(options.parse({"--count", "1", "--count", "2"}));
  EXPECT_EQ(options.text("count"), "2");
  EXPECT_EQ(options.texts("count"), (std::vector<std::string>{"1", "2"}));
}

TEST(Options, MistakesAreNamed) {
  EXPECT_EQ(mistake_of({"--cuont", "3"}), "there is no option --cuont; did you mean --count?");
  EXPECT_EQ(mistake_of({"--zebra"}), "there is no option --zebra; see --help");
  EXPECT_NE(mistake_of({"--count"}).find("count"), std::string::npos);
  EXPECT_EQ(mistake_of({"--count", "ten"}), "--count expects a number from 1 to 9, not \"ten\"");
  EXPECT_EQ(mistake_of({"--count", "10"}), "--count expects a number from 1 to 9, not \"10\"");
  EXPECT_NE(mistake_of({"--list", "1,,2"}).find("--list"), std::string::npos);
  EXPECT_EQ(mistake_of({"a", "b"}), "too many arguments; see parley thing --help");
}

TEST(Options, NoPrefixIsTakenForAnOption) { EXPECT_NE(mistake_of({"--coun", "3"}), "no error"); }

}  // namespace
}  // namespace parley::app::cli
