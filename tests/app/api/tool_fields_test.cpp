#include "app/api/tool_fields.h"

#include "tests/app/api/json_fields.h"

namespace parley::app::api {
namespace {

using orchestration::turn::ToolChoice;
using orchestration::turn::ToolOffer;

ToolOffer read_offer(protocol::FieldReader& fields, const inference::json::JsonObject&) {
  return read_tool_offer(fields, read_server_tools(fields));
}

// A request with the tools a and b.
std::string with_tools(const std::string& more) {
  return R"({"tools":[{"type":"function","function":{"name":"a"}},{"type":"function","function":{"name":"b"}}])" +
         more + "}";
}

std::string names_in(const ToolOffer& offer) {
  std::string names;
  for (const auto& tool : offer.tools) names += tool->spec().name + " ";
  return names;
}

TEST(ToolFieldsTest, ReadsEveryChoice) {
  const auto choice = [](const std::string& value) {
    return read_well(with_tools(R"(,"tool_choice":)" + value), read_offer);
  };
  EXPECT_EQ(read_well(with_tools(""), read_offer).choice, ToolChoice::automatic);
  EXPECT_EQ(choice("null").choice, ToolChoice::automatic);
  EXPECT_EQ(choice("\"auto\"").choice, ToolChoice::automatic);
  EXPECT_EQ(choice("\"none\"").choice, ToolChoice::none);
  EXPECT_EQ(names_in(choice("\"none\"")), "a b ") << "the prompt stays as it is";
  EXPECT_EQ(choice("\"required\"").choice, ToolChoice::required);
  const ToolOffer named = choice(R"({"type":"function","function":{"name":"b"}})");
  EXPECT_EQ(named.choice, ToolChoice::named);
  EXPECT_EQ(named.named, "b");
  EXPECT_EQ(names_in(named), "a b ");
}

TEST(ToolFieldsTest, OffersOnlyTheAllowedTools) {
  for (const auto& [mode, choice] :
       {std::pair("auto", ToolChoice::automatic), std::pair("required", ToolChoice::required)}) {
    const ToolOffer offer = read_well(
        with_tools(R"(,"tool_choice":{"type":"allowed_tools","allowed_tools":{"mode":")" + std::string(mode) +
                   R"(","tools":[{"type":"function","function":{"name":"b"}}]}})"),
        read_offer);
    EXPECT_EQ(offer.choice, choice);
    EXPECT_EQ(names_in(offer), "b ");
  }
}

TEST(ToolFieldsTest, ReadsWhetherSeveralCallsMayBeMade) {
  EXPECT_TRUE(read_well(with_tools(""), read_offer).parallel);
  EXPECT_TRUE(read_well(with_tools(R"(,"parallel_tool_calls":null)"), read_offer).parallel);
  EXPECT_FALSE(read_well(with_tools(R"(,"parallel_tool_calls":false)"), read_offer).parallel);
  EXPECT_FALSE(read_well(R"({"parallel_tool_calls":false})", read_offer).parallel) << "some always say it";
  EXPECT_EQ(blame(with_tools(R"(,"parallel_tool_calls":1)"), read_offer), "parallel_tool_calls");
}

TEST(ToolFieldsTest, NamesWhatIsWrongWithAChoice) {
  const std::pair<const char*, const char*> cases[] = {
      {R"("any")", "tool_choice"},
      {R"("")", "tool_choice"},
      {"5", "tool_choice"},
      {"[]", "tool_choice"},
      {"{}", "tool_choice.type"},
      {R"({"type":"tool"})", "tool_choice.type"},
      {R"({"type":"function"})", "tool_choice.function"},
      {R"({"type":"function","function":{}})", "tool_choice.function.name"},
      {R"({"type":"function","function":{"name":"c"}})", "tool_choice.function.name"},
      {R"({"type":"function","name":"a"})", "tool_choice.function"},
      {R"({"type":"allowed_tools"})", "tool_choice.allowed_tools"},
      {R"({"type":"allowed_tools","allowed_tools":{"tools":[]}})", "tool_choice.allowed_tools.mode"},
      {R"({"type":"allowed_tools","allowed_tools":{"mode":"none","tools":[]}})",
       "tool_choice.allowed_tools.mode"},
      {R"({"type":"allowed_tools","allowed_tools":{"mode":"auto"}})", "tool_choice.allowed_tools.tools"},
      {R"({"type":"allowed_tools","allowed_tools":{"mode":"auto","tools":[]}})",
       "tool_choice.allowed_tools.tools"},
      {R"({"type":"allowed_tools","allowed_tools":{"mode":"auto","tools":["a"]}})",
       "tool_choice.allowed_tools.tools[0]"},
      {R"({"type":"allowed_tools","allowed_tools":{"mode":"auto","tools":[{"type":"function","function":{"name":"c"}}]}})",
       "tool_choice.allowed_tools.tools[0].function.name"}};
  for (const auto& [choice, field] : cases)
    EXPECT_EQ(blame(with_tools(R"(,"tool_choice":)" + std::string(choice)), read_offer), field) << choice;
}

TEST(ToolFieldsTest, ADemandNeedsTools) {
  EXPECT_EQ(blame(R"({"tool_choice":"required"})", read_offer), "tool_choice");
  EXPECT_EQ(blame(R"({"tool_choice":{"type":"function","function":{"name":"a"}}})", read_offer),
            "tool_choice.function.name");
  read_well(R"({"tool_choice":"none","tools":[]})", read_offer);
  read_well(R"({"tool_choice":"auto"})", read_offer);
}

TEST(ToolFieldsTest, AChoiceMayNameAToolOfTheServer) {
  for (const char* tools : {"true", R"(["now"])"}) {
    const std::string parley = R"({"parley":{"tools":)" + std::string(tools) + "},\"tool_choice\":";
    read_well(parley + "\"required\"}", read_offer);
    EXPECT_EQ(read_well(parley + R"({"type":"function","function":{"name":"now"}}})", read_offer).named,
              "now");
  }
  EXPECT_EQ(
      blame(R"({"parley":{"tools":["now"]},"tool_choice":{"type":"function","function":{"name":"then"}}})",
            read_offer),
      "tool_choice.function.name");
  EXPECT_EQ(blame(with_tools(R"(,"parley":{"tools":true},"tool_choice":{"type":"allowed_tools",)"
                             R"("allowed_tools":{"mode":"auto","tools":[]}})"),
                  read_offer),
            "tool_choice.allowed_tools");
}

}  // namespace
}  // namespace parley::app::api
