#include "app/cli/document_tools.h"

#include <gtest/gtest.h>

#include "tests/fakes/message_of.h"

namespace parley::app::cli {
namespace {

std::string error_of(const std::string& json) {
  return tests::fakes::message_of([&] { document_tools(json, "a.json"); });
}

TEST(DocumentTools, ReadsOpenAisFormAndBareFunctions) {
  EXPECT_TRUE(document_tools("", "a.json").empty());
  EXPECT_TRUE(document_tools("[]", "a.json").empty());
  const auto tools = document_tools(
      R"([{"type":"function","function":{"name":"f","description":"d","parameters":{"type":"object"},
          "strict":false}},{"name":"g"}])",
      "a.json");
  ASSERT_EQ(tools.size(), 2u);
  EXPECT_EQ(tools[0]->spec().name, "f");
  EXPECT_EQ(tools[0]->spec().description, "d");
  EXPECT_EQ(tools[0]->spec().parameters.at("type"), "object");
  EXPECT_FALSE(tools[0]->spec().strict);
  EXPECT_EQ(tools[1]->spec().name, "g");
  EXPECT_TRUE(tools[1]->spec().strict);
}

TEST(DocumentTools, OnlyOffersThem) {
  const auto tools = document_tools(R"([{"name":"g"}])", "a.json");
  EXPECT_EQ(tools[0]->run({}, {}).status, orchestration::tools::ToolResult::Status::error);
}

TEST(DocumentTools, NamesThePlaceOfAMistake) {
  EXPECT_NE(error_of(R"([{"name":"g"},7])").find("a.json: tool 2 is no object"), std::string::npos);
  EXPECT_NE(error_of(R"([{"description":"g"}])").find("\"name\" is missing"), std::string::npos);
  EXPECT_NE(error_of(R"([{"name":"g","parameters":[]}])").find("\"parameters\" must be"), std::string::npos);
  EXPECT_NE(error_of("{}").find("must be a list"), std::string::npos);
}

}  // namespace
}  // namespace parley::app::cli
