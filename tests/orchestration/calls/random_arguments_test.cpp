// Arguments that hold what looks like the end of their call, without a constraint.

#include "tests/orchestration/calls/random_arguments.h"

#include <gtest/gtest.h>

#include "tests/orchestration/calls/family_cases.h"

namespace parley::orchestration::calls {
namespace {

using inference::json::JsonObject;
using inference::json::JsonValue;

bool is_tagged(const CallFormat& format) { return !format.argument.open.empty(); }
// Their quotes are written as they are, also within strings.
bool has_bare_quotes(const CallFormat& format) { return format.encoding == Encoding::bare_keys; }

std::string written(const std::string& family, const JsonObject& arguments) {
  return write_output(family, {.calls = {{"get_weather", arguments}, {"now", {}}}});
}

void expect_read_back(const std::string& family, const std::string& text, const JsonObject& arguments) {
  const ReadOutput read = read_pieces(family, {text});
  ASSERT_EQ(read.calls.size(), 2u) << text;
  EXPECT_EQ(read.calls[0].name, "get_weather");
  EXPECT_EQ(read.calls[0].error, "") << text;
  ASSERT_EQ(JsonValue(object(read.calls[0].arguments)), JsonValue(arguments)) << text;
  EXPECT_EQ(read.calls[1].name, "now");
  EXPECT_EQ(read.content, "");
}

TEST(RandomArguments, InJsonAndPythonEndWhereTheirStringsAndBracketsSay) {
  for (const std::string& family : written_families()) {
    const CallFormat& format = *find_call_format(family);
    if (is_tagged(format) || has_bare_quotes(format)) continue;
    RandomText random(markers_of(format), 5);
    for (int i = 0; i < 300; ++i) {
      const JsonObject arguments = random_arguments(random);
      expect_read_back(family, written(family, arguments), arguments);
    }
  }
}

TEST(RandomArguments, AsJsonBetweenTagsEndWhereTheJsonDoes) {
  for (const std::string& family : written_families()) {
    const CallFormat& format = *find_call_format(family);
    if (!is_tagged(format)) continue;
    RandomText random(markers_of(format), 6);
    for (int i = 0; i < 300; ++i) {
      JsonObject arguments = random_arguments(random);
      arguments["city"] = "Paris";  // a raw string, in which no quote tells what is text
      arguments["any"] = inference::json::JsonArray{random.next()};
      expect_read_back(family, written(family, arguments), arguments);
    }
  }
}

TEST(RandomArguments, AreReadAlikeInPiecesOfAnySize) {
  for (const std::string& family : written_families()) {
    RandomText random(markers_of(*find_call_format(family)), 7);
    for (int i = 0; i < 60; ++i) {
      const std::string text = written(family, random_arguments(random));
      const ParseCase options{.format = family};
      const std::string whole = parse(options, text);
      ASSERT_EQ(parse_bytewise(options, text), whole) << family << ": " << text;
      for (const std::size_t longest : {3, 12, 60}) {
        ASSERT_EQ(parse_pieces(options, random_pieces(text, longest, random)), whole)
            << family << ": " << text;
      }
    }
  }
}

}  // namespace
}  // namespace parley::orchestration::calls
