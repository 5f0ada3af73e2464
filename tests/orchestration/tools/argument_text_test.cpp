#include "orchestration/tools/argument_text.h"

#include "tests/orchestration/tools/http_fixture.h"

namespace parley::orchestration::tools {
namespace {

TEST(ArgumentTextTest, WritesNumbersAsPeopleDo) {
  for (const auto& [json, text] :
       {std::pair("100000.0", "100000"), std::pair("-3e2", "-300"), std::pair("0.25", "0.25"),
        std::pair("9007199254740993", "9007199254740993"), std::pair("1e300", "1e+300"),
        std::pair("true", "true"), std::pair("\"1e5\"", "1e5"), std::pair("[1]", "[1]")}) {
    EXPECT_EQ(argument_text(json_of(json)), text);
  }
}

}  // namespace
}  // namespace parley::orchestration::tools
