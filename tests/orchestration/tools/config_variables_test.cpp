#include "orchestration/tools/config_variables.h"

#include <gtest/gtest.h>

#include "tests/orchestration/tools/config_text.h"
#include "tests/orchestration/tools/scratch_folder.h"

namespace parley::orchestration::tools {
namespace {

ConfigVariables sample(const std::filesystem::path& folder = "/etc/parley") {
  return {environment_of({{"HOME", "/home/ada"},
                          {"KEY", "sesame-42"},
                          {"EMPTY", ""},
                          {"N", "7"},
                          {"PARLEY_INPUT_API_KEY", "typed-in"}}),
          folder};
}

TEST(ConfigVariables, FillsInEveryForm) {
  ConfigVariables variables = sample();
  const std::pair<const char*, const char*> cases[] = {
      {"", ""},
      {"plain", "plain"},
      {"Bearer ${KEY}!", "Bearer sesame-42!"},
      {"${env:KEY}", "sesame-42"},
      {"$KEY/x", "sesame-42/x"},
      {"${MISSING:-none}", "none"},
      {"${env:MISSING:-}", ""},
      {"${EMPTY:-full}", "full"},
      {"${EMPTY}", ""},
      {"${KEY:-none}", "sesame-42"},
      {"${userHome}/docs", "/home/ada/docs"},
      {"${configDir}/a ${workspaceFolder}", "/etc/parley/a /etc/parley"},
      {"${input:api-key}", "typed-in"},
      {"$$KEY $$ $1 a$", "$KEY $ $1 a$"},
      {"{city}", "{city}"},
      {"$N$N", "77"}};
  for (const auto& [text, expected] : cases) {
    const Expansion expansion = variables.expand(text);
    EXPECT_EQ(expansion.text, expected) << text;
    EXPECT_EQ(expansion.problem, "") << text;
  }
}

TEST(ConfigVariables, LeavesNamesAloneWhereTextsHaveDollarsOfTheirOwn) {
  ConfigVariables variables = sample();
  const std::pair<const char*, const char*> cases[] = {
      {"query($KEY: ID) ${KEY}", "query($KEY: ID) sesame-42"},
      {"$$KEY $$ $", "$$KEY $$ $"},
      {"$${KEY}", "${KEY}"}};
  for (const auto& [text, expected] : cases) {
    EXPECT_EQ(variables.expand(text, DollarNames::left_alone).text, expected) << text;
  }
  EXPECT_EQ(variables.secrets(), std::vector<std::string>{"sesame-42"});
  EXPECT_NE(variables.expand("${MISSING}", DollarNames::left_alone).problem, "");
}

TEST(ConfigVariables, NamesWhatCannotBeFilledIn) {
  ConfigVariables variables = sample();
  const std::pair<const char*, const char*> cases[] = {{"${MISSING}", "MISSING is not set"},
                                                       {"$MISSING", "MISSING is not set"},
                                                       {"a ${KEY", "not closed"},
                                                       {"${env:}", "no variable"},
                                                       {"${a b}", "no variable"},
                                                       {"${input:other}", "PARLEY_INPUT_OTHER"},
                                                       {"${file:no/such}", "no/such"},
                                                       {"${file:}", "cannot be read"},
                                                       {"${file:/dev/zero}", "no regular file"},
                                                       {"${command:x}", "no variable"}};
  for (const auto& [text, words] : cases) {
    const Expansion expansion = variables.expand(text);
    EXPECT_NE(expansion.problem.find(words), std::string::npos) << text << ": " << expansion.problem;
    EXPECT_EQ(expansion.text, "") << text;
  }
}

TEST(ConfigVariables, ValuesAreNotFilledInAgain) {
  ConfigVariables variables(environment_of({{"A", "${B}"}, {"B", "x"}}), "/");
  EXPECT_EQ(variables.expand("${A}").text, "${B}");
}

TEST(ConfigVariables, ReadsFilesBesideTheConfigurationWithoutTheLastNewline) {
  const ScratchFolder folder;
  folder.write("secrets/search", "top secret\r\n\n");
  ConfigVariables variables = sample(folder.path());
  EXPECT_EQ(variables.expand("Bearer ${file:secrets/search}").text, "Bearer top secret");
  EXPECT_TRUE(contains(variables.secrets(), "top secret"));
  folder.write("large", std::string(70'000, 'x'));
  EXPECT_NE(variables.expand("${file:large}").problem.find("larger than 65536 bytes"), std::string::npos);
}

TEST(ConfigVariables, WaitsForNoWriterOfANamedPipe) {
  const ScratchFolder folder;
  ASSERT_EQ(::mkfifo((folder / "pipe").c_str(), 0600), 0);
  EXPECT_NE(sample(folder.path()).expand("${file:pipe}").problem.find("no regular file"), std::string::npos);
  const ToolsFile file =
      read_config(R"({"tools": {"a": {"command": ["x"], "envFile": "pipe"}}})", folder.path());
  EXPECT_TRUE(mentions(file, "error: tools.a.envFile: the file "))
      << ::testing::PrintToString(issues_of(file));
  EXPECT_TRUE(mentions(file, "no regular file"));
}

TEST(ConfigVariables, RemembersSecretsButNotWhatEverybodyKnows) {
  ConfigVariables variables = sample();
  for (const char* text :
       {"$KEY", "$KEY", "$HOME", "${N}", "${userHome}", "${MISSING:-default value}", "${input:api-key}"})
    variables.expand(text);
  EXPECT_EQ(variables.secrets(), (std::vector<std::string>{"sesame-42", "typed-in"}));
}

TEST(ConfigVariables, KnowsSecretNames) {
  for (const char* name : {"API_KEY", "github_token", "DbPassword", "MY_SECRET_X", "Authorization", "DB_PASS",
                           "MYSQL_PWD", "X-Auth", "cookie", "Set-Cookie", "x-session"}) {
    EXPECT_TRUE(is_secret_name(name)) << name;
  }
  for (const char* name : {"LANG", "HOME", "PATH", "", "PWD", "OLDPWD", "GIT_AUTHOR_NAME", "COMPASS",
                           "BYPASS_CACHE", "XDG_SESSION_TYPE", "DESKTOP_SESSION"})
    EXPECT_FALSE(is_secret_name(name)) << name;
}

}  // namespace
}  // namespace parley::orchestration::tools
