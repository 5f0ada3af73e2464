#include "app/api/server_tools.h"

#include <boost/asio/io_context.hpp>

#include "app/api/client_tool.h"
#include "tests/app/api/json_fields.h"
#include "tests/fakes/scripted_tool.h"

namespace parley::app::api {
namespace {

using orchestration::turn::ToolChoice;
using orchestration::turn::ToolOffer;

ServerToolChoice read_choice_of(protocol::FieldReader& fields, const inference::json::JsonObject&) {
  return read_server_tools(fields);
}

ToolList tools_named(const std::vector<std::string>& names) {
  ToolList tools;
  for (const auto& name : names) tools.push_back(make_client_tool({.name = name, .parameters = {}}));
  return tools;
}

ServerToolChoice choosing(std::vector<std::string> names) {
  return {.all = false, .names = std::move(names)};
}

std::string blamed_param(ToolOffer offer, const ServerToolChoice& choice, const ToolList& available) {
  const auto error = add_server_tools(offer, choice, available);
  if (!error) return {};
  EXPECT_EQ(error->status, 400);
  EXPECT_EQ(error->message.find("`" + error->param + "` "), 0u) << error->message;
  return error->param;
}

TEST(ServerToolsTest, AreAskedForAllOrByName) {
  for (const char* none : {"{}", R"({"parley":null})", R"({"parley":{}})", R"({"parley":{"tools":false}})",
                           R"({"parley":{"tools":[]}})", R"({"parley":{"tools":null}})"}) {
    EXPECT_FALSE(read_well(none, read_choice_of).wanted()) << none;
  }
  const auto all = read_well(R"({"parley":{"tools":true}})", read_choice_of);
  EXPECT_TRUE(all.wanted() && all.may_include("anything"));
  const auto some = read_well(R"({"parley":{"tools":["a","b","a"]}})", read_choice_of);
  EXPECT_EQ(some.names, (std::vector<std::string>{"a", "b"}));
  EXPECT_FALSE(some.may_include("c"));
}

TEST(ServerToolsTest, AModeMayStandBesideThem) {
  using orchestration::turn::ToolMode;
  const auto mode = [](const std::string& value) {
    return read_well(R"({"parley":{"tool_mode":)" + value + "}}", read_choice_of).mode;
  };
  EXPECT_EQ(mode("null"), ToolMode::usual);
  EXPECT_EQ(mode(R"("raw")"), ToolMode::raw);
  EXPECT_EQ(mode(R"("lenient")"), ToolMode::lenient);
  EXPECT_EQ(mode(R"("routed")"), ToolMode::routed);
  EXPECT_EQ(mode(R"("constrained")"), ToolMode::constrained);
  const auto both = read_well(R"({"parley":{"tool_mode":"raw","tools":["a"]}})", read_choice_of);
  EXPECT_TRUE(both.wanted() && both.mode == ToolMode::raw);
}

TEST(ServerToolsTest, AModeHasTheWordThatAsksForIt) {
  for (const char* word : {"raw", "lenient", "routed", "constrained"}) {
    const auto choice = read_well(R"({"parley":{"tool_mode":")" + std::string(word) + "\"}}", read_choice_of);
    EXPECT_EQ(name_of(choice.mode), word);
  }
}

TEST(ServerToolsTest, AKeyThatIsNotKnownIsRefusedWithTheNearest) {
  const auto problem = [](const std::string& key) {
    const auto body = object_of(R"({"parley":{")" + key + R"(":true}})");
    protocol::FieldReader fields(body);
    read_server_tools(fields);
    return fields.error() ? fields.error()->message : "";
  };
  EXPECT_EQ(problem("toolmode"), "`parley.toolmode` is not known here: the nearest is `parley.tool_mode`.");
  EXPECT_EQ(problem("tool"), "`parley.tool` is not known here: the nearest is `parley.tools`.");
  EXPECT_EQ(problem("x"), "`parley.x` is not known here: there are `parley.tools` and `parley.tool_mode`.");
}

TEST(ServerToolsTest, NamesWhatIsWrong) {
  const std::pair<const char*, const char*> cases[] = {{"5", "parley"},
                                                       {"[]", "parley"},
                                                       {R"({"tool":true})", "parley.tool"},
                                                       {R"({"tool_mode":"strict"})", "parley.tool_mode"},
                                                       {R"({"tool_mode":true})", "parley.tool_mode"},
                                                       {R"({"tools":"a"})", "parley.tools"},
                                                       {R"({"tools":{}})", "parley.tools"},
                                                       {R"({"tools":[1]})", "parley.tools[0]"}};
  for (const auto& [value, field] : cases)
    EXPECT_EQ(blame(R"({"parley":)" + std::string(value) + "}", read_choice_of), field) << value;
}

TEST(ServerToolsTest, ComeBehindTheClients) {
  ToolOffer offer;
  offer.tools = tools_named({"mine"});
  EXPECT_FALSE(add_server_tools(offer, choosing({"c", "a"}), tools_named({"a", "b", "c"})));
  ASSERT_EQ(offer.tools.size(), 3u);
  EXPECT_EQ(offer.tools[1]->spec().name, "a");
  EXPECT_EQ(offer.tools[2]->spec().name, "c");
  EXPECT_FALSE(add_server_tools(offer, {.all = true, .names = {}}, tools_named({"x", "y"})));
  EXPECT_EQ(offer.tools.size(), 5u);
}

TEST(ServerToolsTest, RefusesNamesThatAreNotThereOrTaken) {
  ToolOffer offer;
  offer.tools = tools_named({"mine", "b"});
  EXPECT_EQ(blamed_param(offer, choosing({"a", "z"}), tools_named({"a"})), "parley.tools");
  EXPECT_EQ(blamed_param(offer, choosing({"b"}), tools_named({"a", "b"})), "tools[1].function.name");
  EXPECT_EQ(blamed_param(offer, choosing({"a"}), tools_named({"a", "b"})), "");
}

TEST(ServerToolsTest, RefusesAChoiceThatNothingSatisfies) {
  ToolOffer offer;
  offer.choice = ToolChoice::required;
  EXPECT_EQ(blamed_param(offer, {.all = true, .names = {}}, {}), "tool_choice");
  offer.choice = ToolChoice::named;
  offer.named = "z";
  EXPECT_EQ(blamed_param(offer, {.all = true, .names = {}}, tools_named({"a"})), "tool_choice.function.name");
  offer.named = "a";
  EXPECT_EQ(blamed_param(offer, {.all = true, .names = {}}, tools_named({"a"})), "");
}

TEST(ServerToolsTest, AreThoseThatTheOperatorAllows) {
  using orchestration::tools::Decision;
  const auto tool = [](const char* name) { return std::make_shared<fakes::ScriptedTool>(name, "a"); };
  const auto state = fakes::state_with({tool("asks"), tool("denied"), tool("read_tool_output"), tool("runs")},
                                       {{"denied", "", Decision::deny}, {"r*", "", Decision::automatic}});
  boost::asio::io_context io;
  orchestration::turn::ToolDeskParts parts;
  parts.current = [&] { return state; };
  orchestration::turn::ToolDesk desk(io.get_executor(), std::move(parts));
  const auto names = [&](const ServerToolChoice& choice) {
    std::string text;
    for (const auto& one : available_tools(desk, choice)) text += one->spec().name + " ";
    return text;
  };
  EXPECT_EQ(names({.all = true, .names = {}}), "runs ");
  EXPECT_EQ(names(choosing({"asks"})), "asks runs ");
}

TEST(ServerToolsTest, AreThereOnceAFileWasReadOrMayBe) {
  auto file = std::make_shared<orchestration::tools::ToolsFile>();
  auto state = std::make_shared<orchestration::tools::RegistryState>();
  state->file = file;
  boost::asio::io_context io;
  orchestration::turn::ToolDeskParts parts;
  parts.current = [&] { return state; };
  orchestration::turn::ToolDesk desk(io.get_executor(), std::move(parts));
  EXPECT_FALSE(has_server_tools(desk));
  state->starting = {"tools.json"};
  EXPECT_TRUE(has_server_tools(desk));
  state->starting.clear();
  file->content_hash = "of an empty one";
  EXPECT_TRUE(has_server_tools(desk));
}

TEST(ServerToolsTest, SaysThatThereAreNone) {
  const ApiError error = no_server_tools();
  EXPECT_EQ(error.status, 400) << "trying again does not help";
  EXPECT_EQ(error.code, "unavailable");
  EXPECT_EQ(error.param, "parley.tools");
}

}  // namespace
}  // namespace parley::app::api
