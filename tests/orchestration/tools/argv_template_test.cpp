#include "orchestration/tools/argv_template.h"

#include <gtest/gtest.h>

namespace parley::orchestration::tools {
namespace {

using inference::json::JsonArray;
using inference::json::JsonObject;
using Words = std::vector<std::string>;

Words fill(const Words& elements, const JsonObject& arguments, LeadingDash dash = LeadingDash::refused) {
  const FilledArgv filled = fill_argv(elements, arguments, dash);
  EXPECT_EQ(filled.problem, "");
  return filled.argv;
}

std::string problem(const Words& elements, const JsonObject& arguments,
                    LeadingDash dash = LeadingDash::refused) {
  return fill_argv(elements, arguments, dash).problem;
}

TEST(ArgvTemplate, AValueIsExactlyOneElement) {
  const std::string hostile = "Paris; rm -rf / $(id) `id` \"'\n| & > * {city}";
  EXPECT_EQ(fill({"weather", "{city}", "--in={city}"}, {{"city", hostile}}),
            (Words{"weather", hostile, "--in=" + hostile}));
  EXPECT_EQ(fill({"w", "{city}"}, {{"city", ""}}), (Words{"w", ""}));
}

TEST(ArgvTemplate, ValuesThatAreNoStringsAreTheirJson) {
  const JsonObject arguments{
      {"n", -3}, {"x", 0.5}, {"b", true}, {"list", JsonArray{1, "a b"}}, {"o", JsonObject{{"k", 1}}}};
  EXPECT_EQ(fill({"p", "{n}", "{x}", "{b}", "{list}", "{o}"}, arguments),
            (Words{"p", "-3", "0.5", "true", "[1,\"a b\"]", "{\"k\":1}"}));
  EXPECT_EQ(fill({"p", "{n}"}, {{"n", 100000.0}}), (Words{"p", "100000"})) << "not 1e+05";
}

TEST(ArgvTemplate, AbsentArgumentsTakeTheirOptionAlong) {
  const Words elements{"p", "--city", "{city}", "--unit={unit}", "-v", "{file}", "last"};
  EXPECT_EQ(fill(elements, {{"file", "f"}}), (Words{"p", "-v", "f", "last"}));
  EXPECT_EQ(fill(elements, {{"city", nullptr}}), (Words{"p", "last"}));
  EXPECT_EQ(fill({"p", "{a}", "{b}"}, {{"b", "x"}}), (Words{"p", "x"}));
  EXPECT_EQ(fill({"p", "--", "{a}"}, {}), (Words{"p", "--"}));
  EXPECT_EQ(fill({"p", "word", "{a}"}, {}), (Words{"p", "word"}));
  EXPECT_EQ(fill({"p", "{a}", "{b}"}, {{"a", "x"}}), (Words{"p", "x"}));
}

TEST(ArgvTemplate, APartThatIsAbsentLeavesNoOptionDangling) {
  EXPECT_EQ(fill({"convert", "-resize", "{w}x{h}", "{file}"}, {{"w", 3}, {"file", "a.png"}}),
            (Words{"convert", "a.png"}));
  EXPECT_EQ(fill({"grep", "-e", "^{word}", "{file}"}, {{"file", "a"}}), (Words{"grep", "a"}));
  EXPECT_EQ(fill({"p", "-v", "--size={w}x{h}"}, {{"w", 3}}), (Words{"p", "-v"})) << "an option by itself";
}

// {"a": "-x"} must not lose the value of a when b is absent.
TEST(ArgvTemplate, AbsentArgumentsTakeNoFilledElementAlong) {
  EXPECT_EQ(fill({"p", "{a}", "{b}"}, {{"a", "-x"}}, LeadingDash::allowed), (Words{"p", "-x"}));
}

TEST(ArgvTemplate, ValuesMustNotLookLikeOptions) {
  EXPECT_NE(problem({"p", "{a}"}, {{"a", "--output=/etc/passwd"}}).find("\"a\" must not begin with"),
            std::string::npos);
  EXPECT_NE(problem({"p", "--city", "{a}"}, {{"a", "-x"}}), "");
  EXPECT_NE(problem({"p", "{a}.txt"}, {{"a", "-x"}}), "");
  EXPECT_NE(problem({"p", "{e}{a}"}, {{"e", ""}, {"a", "-x"}}), "");
  EXPECT_EQ(problem({"p", "--city={a}"}, {{"a", "-x"}}), "");
  EXPECT_EQ(problem({"p", "--", "{a}"}, {{"a", "-x"}}), "");
  EXPECT_EQ(problem({"p", "{a}"}, {{"a", "-x"}}, LeadingDash::allowed), "");
  EXPECT_EQ(problem({"p", "{a}"}, {{"a", -5}}), "");
}

TEST(ArgvTemplate, NulCannotBePassedOn) {
  EXPECT_NE(problem({"p", "--x={a}"}, {{"a", std::string("a\0b", 3)}}).find("NUL"), std::string::npos);
}

TEST(ArgvTemplate, OtherBracesAreThemselves) {
  const Words elements{"awk", "{ print $1 }", "{}", "{a", "a}", "{1}", "{a.b}", "{{a}}", "{{}}", ""};
  EXPECT_EQ(fill(elements, {{"a", "x"}}),
            (Words{"awk", "{ print $1 }", "{}", "{a", "a}", "{1}", "{a.b}", "{a}", "{{}}", ""}));
}

TEST(ArgvTemplate, ListsItsPlaceholders) {
  EXPECT_EQ(placeholders_of("{a}-{b_2}{{c}}{d e}"), (Words{"a", "b_2"}));
  EXPECT_TRUE(placeholders_of("").empty());
}

}  // namespace
}  // namespace parley::orchestration::tools
