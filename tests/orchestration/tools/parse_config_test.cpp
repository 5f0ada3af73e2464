#include "orchestration/tools/parse_config.h"

#include <gtest/gtest.h>

#include "inference/json/json_writer.h"

namespace parley::orchestration::tools {
namespace {

using inference::json::JsonValue;

std::string written(std::string_view text) {
  const auto parsed = parse_config(text);
  if (const auto* problem = std::get_if<std::string>(&parsed)) return "problem: " + *problem;
  return inference::json::to_json_text(std::get<JsonValue>(parsed));
}

TEST(ParseConfig, TakesCommentsAndTrailingCommas) {
  EXPECT_EQ(written("\xEF\xBB\xBF// mine\n{\"a\": [1, 2, /* three */], \"b\": \"//,]\",}\n"),
            R"({"a":[1,2],"b":"//,]"})");
}

TEST(ParseConfig, SaysWhereItIsBroken) {
  EXPECT_EQ(written("{\n  \"a\": 1\n  \"b\": 2\n}"),
            "problem: The text is not valid JSON at line 3, column 3");
  EXPECT_EQ(written("{} x"), "problem: The text is not valid JSON at line 1, column 4");
  EXPECT_NE(written("").find("line 1, column 1"), std::string::npos);
  EXPECT_NE(written("{\"a\": [1, 2").find("line 1, column 12"), std::string::npos);
  EXPECT_NE(written("{\"a\": \"x").find("problem"), std::string::npos);
}

TEST(ParseConfig, NamesOtherProblems) {
  EXPECT_EQ(written(R"({"tools": {"a": 1, "a": 2}})"), "problem: \"a\" is given twice in one object");
  EXPECT_NE(written(R"({"timeout": 1e999})").find("\"timeout\""), std::string::npos);
  EXPECT_NE(written(std::string(10'000, '[')).find("problem: "), std::string::npos);
  EXPECT_NE(written(std::string(10'000, '[') + std::string(10'000, ']')).find("deeper than 128"),
            std::string::npos);
  EXPECT_NE(written(std::string(kMaxConfigBytes + 1, ' ')).find("larger than"), std::string::npos);
  EXPECT_NE(written("{\"a\": \"\xFF\"}").find("UTF-8"), std::string::npos);
}

}  // namespace
}  // namespace parley::orchestration::tools
