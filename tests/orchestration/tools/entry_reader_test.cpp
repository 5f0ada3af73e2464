#include "orchestration/tools/entry_reader.h"

#include <gtest/gtest.h>

#include <boost/json/parse.hpp>

#include "tests/orchestration/tools/config_text.h"

namespace parley::orchestration::tools {
namespace {

class EntryReaderTest : public ::testing::Test {
 protected:
  EntryReader reader(std::string_view text, ObjectKind kind = ObjectKind::tool) {
    object_ = boost::json::parse(text).as_object();
    return EntryReader(state_, object_, kind, "tools.a");
  }
  std::string only_issue() const {
    return issues_.size() == 1 ? issue_text(issues_[0]) : std::to_string(issues_.size());
  }

  ConfigVariables variables_{environment_of({{"X", "filled"}}), "/"};
  std::vector<ConfigIssue> issues_;
  ReadingState state_{.variables = variables_, .issues = issues_};
  inference::json::JsonObject object_;
};

TEST_F(EntryReaderTest, ReadsEveryKindOfField) {
  EntryReader fields =
      reader(R"({"strict":false,"timeout":1500,"concurrency":2.0,"cwd":"$X","description":"$X",
                                  "command":["a","${X}"],"args":"one","env":{"A":"$X","B":1,"C":true},
                                  "approval":"auto","output":"json","name":null})");
  EXPECT_EQ(fields.flag("strict"), false);
  EXPECT_EQ(fields.milliseconds("timeout"), std::chrono::milliseconds(1500));
  EXPECT_EQ(fields.number("concurrency", {.low = 1, .high = 2}), 2);
  EXPECT_EQ(fields.text("cwd"), "filled");
  EXPECT_EQ(fields.plain_text("description"), "$X");
  EXPECT_EQ(fields.texts("command"), (std::vector<std::string>{"a", "filled"}));
  EXPECT_EQ(fields.texts("args"), std::vector<std::string>{"one"});
  EXPECT_EQ(fields.text_map("env"),
            (std::map<std::string, std::string>{{"A", "filled"}, {"B", "1"}, {"C", "true"}}));
  EXPECT_EQ(fields.decision("approval"), Decision::automatic);
  EXPECT_EQ(fields.choice("output", {"text", "json"}), 1u);
  EXPECT_EQ(fields.plain_text("name"), std::nullopt);
  EXPECT_EQ(fields.text("absent"), std::nullopt);
  EXPECT_EQ(fields.first_of({"name", "cwd", "env"}), "cwd");
  EXPECT_FALSE(fields.refused());
  EXPECT_TRUE(issues_.empty());
}

TEST_F(EntryReaderTest, WarnsOfUnknownKeysWithTheNearest) {
  reader(R"({"comand":["a"],"x-internal":1})");
  ASSERT_EQ(issues_.size(), 2u);
  EXPECT_EQ(issue_text(issues_[0]),
            "warning: tools.a.comand: unknown key, which is not used; did you mean \"command\"?");
  EXPECT_EQ(issues_[1].message, "unknown key, which is not used");
}

TEST_F(EntryReaderTest, WrongTypesRefuseTheEntryOnceWithTheirPlace) {
  const std::pair<const char*, std::function<void(EntryReader&)>> cases[] = {
      {R"({"strict":"yes"})", [](EntryReader& r) { r.flag("strict"); }},
      {R"({"timeout":0})", [](EntryReader& r) { r.milliseconds("timeout"); }},
      {R"({"timeout":1e300})", [](EntryReader& r) { r.milliseconds("timeout"); }},
      {R"({"timeout":1.5})", [](EntryReader& r) { r.milliseconds("timeout"); }},
      {R"({"timeout":18446744073709551615})", [](EntryReader& r) { r.milliseconds("timeout"); }},
      {R"({"cwd":1})", [](EntryReader& r) { r.text("cwd"); }},
      {R"({"cwd":"$NOT_SET"})", [](EntryReader& r) { r.text("cwd"); }},
      {R"({"args":[1]})", [](EntryReader& r) { r.texts("args"); }},
      {R"({"args":{}})", [](EntryReader& r) { r.texts("args"); }},
      {R"({"env":{"A":[]}})", [](EntryReader& r) { r.text_map("env"); }},
      {R"({"env":[]})", [](EntryReader& r) { r.text_map("env"); }},
      {R"({"approval":"yes"})", [](EntryReader& r) { r.decision("approval"); }},
  };
  for (const auto& [text, read] : cases) {
    issues_.clear();
    EntryReader fields = reader(text);
    read(fields);
    EXPECT_TRUE(fields.refused()) << text;
    EXPECT_EQ(only_issue().find("error: tools.a."), 0u) << text << only_issue();
    EXPECT_EQ(fields.flag("strict"), std::nullopt);  // refused: the rest reads as absent
    EXPECT_EQ(issues_.size(), 1u) << text;
  }
}

TEST_F(EntryReaderTest, ChoicesAreListed) {
  EntryReader fields = reader(R"({"output":"xml"})");
  fields.choice("output", {"text", "json"});
  EXPECT_EQ(only_issue(), "error: tools.a.output: expected one of \"text\", \"json\", not \"xml\"");
}

TEST_F(EntryReaderTest, TimesThatLookLikeSecondsAreWarnedAbout) {
  EntryReader fields = reader(R"({"timeout":60})");
  EXPECT_EQ(fields.milliseconds("timeout"), std::chrono::milliseconds(60));
  EXPECT_NE(only_issue().find("not in seconds"), std::string::npos);
}

TEST_F(EntryReaderTest, OddKeysAreBracketedInPlaces) {
  EXPECT_EQ(reader("{}").place_of("a b\n"), "tools.a[\"a b\\n\"]");
  EXPECT_EQ(reader("{}").place_of(""), "tools.a");
}

}  // namespace
}  // namespace parley::orchestration::tools
