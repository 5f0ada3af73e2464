#include "app/cli/standard_input.h"

#include <gtest/gtest.h>

namespace parley::app::cli {
namespace {

using orchestration::prompt::Role;

std::string error_of(const std::string& json) {
  try {
    parse_messages(json, "chat.json");
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return "no error";
}

TEST(ParseMessages, ReadsAnObjectOrABareList) {
  const std::string list = R"([{"role":"system","content":"s"},{"role":"user","content":"ü"}])";
  for (const std::string& json : {list, "{\"messages\":" + list + "}"}) {
    const auto messages = parse_messages(json, "x").messages;
    ASSERT_EQ(messages.size(), 2u);
    EXPECT_EQ(messages[0].role, Role::system);
    EXPECT_EQ(messages[1].text, "ü");
  }
}

TEST(ParseMessages, KeepsToolsAsTheyAre) {
  EXPECT_EQ(parse_messages(R"({"messages":[],"tools":[{"name": "f"}]})", "x").tools_json,
            R"([{"name":"f"}])");
  EXPECT_EQ(parse_messages(R"({"messages":[],"tools":null})", "x").tools_json, "");
}

TEST(ParseMessages, MistakesNameTheirPlace) {
  EXPECT_NE(error_of("{").find("chat.json is not valid JSON"), std::string::npos);
  EXPECT_NE(error_of("{}").find("expected {\"messages\""), std::string::npos);
  EXPECT_NE(error_of("7").find("expected {\"messages\""), std::string::npos);
  EXPECT_NE(error_of(R"([{"role":"user","content":"a"},{"role":"user"}])").find("message 2: \"content\""),
            std::string::npos);
  EXPECT_NE(error_of(R"([{"role":"king","content":"a"}])").find("\"king\""), std::string::npos);
  EXPECT_NE(error_of(R"([7])").find("message 1"), std::string::npos);
  EXPECT_NE(error_of(R"({"messages":[],"tools":{}})").find("\"tools\" is not a list"), std::string::npos);
}

TEST(ReadFile, NamesTheFileThatIsMissing) { EXPECT_THROW(read_file("/nonexistent"), std::runtime_error); }

}  // namespace
}  // namespace parley::app::cli
