#include "orchestration/mcp/stdio_profile.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>

#include "orchestration/sandbox/run_program.h"
#include "tests/fakes/temp_directory.h"

namespace parley::orchestration::mcp {
namespace {

using std::filesystem::path;
using Paths = std::vector<path>;

struct StdioProfileTest : testing::Test {
  StdioProfileTest() {
    for (const char* folder : {"data/secrets", "docs", "opt/node/bin", "opt/node/lib/npm/bin", "me/bin"}) {
      std::filesystem::create_directories(root / folder);
    }
    touch("opt/node/bin/node");
    touch("opt/node/lib/npm/bin/npx-cli.js");
    touch("me/bin/server");
    std::filesystem::create_symlink("../lib/npm/bin/npx-cli.js", root / "opt/node/bin/npx");
    surroundings = {.data_folder = root / "data",
                    .search_path = (root / "opt/node/bin").string() + ":/usr/bin:/bin:relative",
                    .user_home = root / "me"};
  }

  void touch(const std::string& file) const {
    std::ofstream(root / file) << "x";
    std::filesystem::permissions(root / file, std::filesystem::perms::owner_all);
  }

  StdioProfile profile(std::vector<std::string> argv) {
    StdioEntry entry;
    entry.name = "files";
    entry.argv = std::move(argv);
    return make_stdio_profile(entry, surroundings);
  }

  tests::fakes::TempDirectory directory;
  const path root = std::filesystem::canonical(directory.path());
  Surroundings surroundings;
};

bool has(const Paths& paths, const path& wanted) {
  return std::find(paths.begin(), paths.end(), wanted) != paths.end();
}

TEST_F(StdioProfileTest, the_environment_is_clean_but_for_what_the_entry_adds) {
  StdioEntry entry{.name = "a",
                   .argv = {"true"},
                   .environment = {{"API_KEY", "k"}, {"TERM", "xterm"}},
                   .working_directory = {},
                   .readable = {},
                   .writable = {}};
  const auto environment = make_stdio_profile(entry, surroundings).program.environment;
  std::vector<std::string> names;
  for (const auto& [name, value] : environment) names.push_back(name);
  EXPECT_EQ(names, (std::vector<std::string>{"API_KEY", "LOGNAME", "PATH", "SHELL", "TERM", "USER"}));
  EXPECT_EQ(environment.at("TERM"), "xterm");
}

// A data folder below a closed one, as /root is: the server sees its home elsewhere.
TEST_F(StdioProfileTest, the_home_can_be_written_and_is_kept) {
  if (!sandbox::fence_problem().empty()) GTEST_SKIP() << "NOT TESTED: " << sandbox::fence_problem();
  std::filesystem::create_directories(root / "closed");
  std::filesystem::permissions(root / "closed", std::filesystem::perms::owner_all);
  surroundings.data_folder = root / "closed/data";
  const auto program =
      profile({"/bin/sh", "-c", "cd && mkdir -p .cache && echo $HOME > .cache/x && cat .cache/x"}).program;
  sandbox::RunOptions options;
  options.deadline = std::chrono::steady_clock::now() + std::chrono::seconds(20);
  const auto result = sandbox::run_program(program, options);
  EXPECT_EQ(result.end, sandbox::ProgramResult::End::exited) << result.error;
  EXPECT_EQ(result.code, 0) << result.error;
  EXPECT_NE(result.output, "");
  EXPECT_TRUE(std::filesystem::exists(stdio_home(surroundings.data_folder, "files") / ".cache/x"));
}

TEST_F(StdioProfileTest, the_operator_can_take_the_network_away) {
  StdioEntry entry;
  entry.name = "files";
  entry.argv = {"/usr/bin/true"};
  entry.network = sandbox::Network::off;
  EXPECT_EQ(make_stdio_profile(entry, surroundings).program.access.network, sandbox::Network::off);
}

TEST_F(StdioProfileTest, the_network_is_on_and_the_home_private) {
  const auto program = profile({"/usr/bin/true"}).program;
  EXPECT_EQ(program.access.network, sandbox::Network::on);
  EXPECT_EQ(program.access.fence, sandbox::Fence::bubblewrap);
  EXPECT_EQ(program.access.home, root / "data/mcp-homes/files");
  EXPECT_TRUE(program.access.readable.empty());
  EXPECT_TRUE(program.access.writable.empty());
}

TEST_F(StdioProfileTest, absolute_paths_in_arguments_are_read_only) {
  const auto access =
      profile({"/usr/bin/x", (root / "docs").string(), "--root=" + (root / "me/bin/server").string(), "docs",
               (root / "not there").string(), "/usr/share", "-y"})
          .program.access;
  EXPECT_EQ(access.readable, (Paths{root / "docs", root / "me/bin/server"}));
  EXPECT_TRUE(access.writable.empty());
}

TEST_F(StdioProfileTest, what_write_lists_is_writable_and_bound_once) {
  std::filesystem::create_directories(root / "docs/inner");
  StdioEntry entry{.name = "a",
                   .argv = {"true", (root / "docs/").string(), (root / "docs/inner").string()},
                   .environment = {},
                   .working_directory = root / "me/bin",
                   .readable = {},
                   .writable = {root / "docs"}};
  const auto access = make_stdio_profile(entry, surroundings).program.access;
  EXPECT_EQ(access.writable, Paths{root / "docs"});
  EXPECT_EQ(access.readable, Paths{root / "me/bin"});
}

TEST_F(StdioProfileTest, a_program_outside_usr_brings_its_own_folder_tree) {
  const auto readable = profile({"npx", "-y", "x"}).program.access.readable;
  EXPECT_TRUE(has(readable, root / "opt/node"));
  EXPECT_TRUE(has(readable, root / "opt/node/lib/npm"));
  EXPECT_TRUE(profile({"no-such-program"}).program.access.readable.empty());
}

TEST_F(StdioProfileTest, a_program_of_npm_brings_all_packages_of_its_folder) {
  std::filesystem::create_directories(root / "app/node_modules/.bin");
  std::filesystem::create_directories(root / "app/node_modules/server/dist");
  std::filesystem::create_directories(root / "app/node_modules/needed");
  touch("app/node_modules/server/dist/index.js");
  std::filesystem::create_symlink("../server/dist/index.js", root / "app/node_modules/.bin/server");
  EXPECT_EQ(profile({(root / "app/node_modules/.bin/server").string()}).program.access.readable,
            Paths{root / "app/node_modules"});
}

TEST_F(StdioProfileTest, a_program_in_the_users_home_does_not_bring_the_home) {
  EXPECT_EQ(profile({(root / "me/bin/server").string()}).program.access.readable, Paths{root / "me/bin"});
}

TEST_F(StdioProfileTest, the_users_home_is_never_bound_as_a_whole) {
  std::filesystem::create_directory_symlink(root / "me", root / "opt/me");
  StdioEntry entry;
  entry.name = "a";
  entry.argv = {"true", (root / "me").string(), (root / "opt/me").string(), (root / "me/bin").string()};
  entry.readable = {root / "me"};
  entry.working_directory = root / "me";
  const StdioProfile made = make_stdio_profile(entry, surroundings);
  EXPECT_EQ(made.program.access.readable, Paths{root / "me/bin"});
  EXPECT_NE(made.notes.at(0).find("the whole home folder"), std::string::npos) << made.notes.at(0);
}

// Such as "cwd": "." and "command": "./server" in a tools file of the user's own.
TEST_F(StdioProfileTest, files_with_secrets_are_hidden_where_their_folder_is_seen_and_cannot_be_named) {
  std::filesystem::create_directories(root / "me/.config/parley/servers/one");
  touch("me/.config/parley/tools.json");
  touch("me/.config/parley/server");
  touch("me/.config/parley/servers/one/run");
  const path config = root / "me/.config/parley";
  surroundings.config_folder = config;
  StdioEntry entry;
  entry.name = "a";
  entry.argv = {"./server", (config / "tools.json").string()};
  entry.working_directory = config;
  entry.hidden = {config / "tools.json"};
  entry.changeable = {root / "docs"};
  sandbox::Access access = make_stdio_profile(entry, surroundings).program.access;
  EXPECT_EQ(access.readable, (Paths{config, config / "server"})) << "of the folder only what cwd says";
  EXPECT_EQ(access.hidden, (Paths{config / "tools.json", root / "data"}));
  EXPECT_EQ(access.hidden_unless_declared, config);
  EXPECT_EQ(access.changeable, Paths{root / "docs"});
  entry.working_directory.clear();
  entry.argv = {(config / "server").string()};
  EXPECT_EQ(make_stdio_profile(entry, surroundings).program.access.readable, Paths{config / "server"});
  entry.argv = {(config / "servers/one/run").string()};
  EXPECT_EQ(make_stdio_profile(entry, surroundings).program.access.readable, Paths{config / "servers/one"});
}

TEST_F(StdioProfileTest, neither_the_system_nor_parleys_data_can_be_named) {
  std::filesystem::create_symlink(root / "data/secrets", root / "docs/link");
  const StdioProfile made =
      profile({"/usr/bin/x", "/", "/etc", "/proc/self", "/dev", "/run", root.string(),
               (root / "data").string(), (root / "data/secrets").string(),
               (root / "docs/../data/secrets/").string(), (root / "docs/link").string()});
  EXPECT_TRUE(made.program.access.readable.empty());
  EXPECT_GE(made.notes.size(), 9u);
  StdioEntry entry{.name = "a",
                   .argv = {"true"},
                   .environment = {},
                   .working_directory = {},
                   .readable = {},
                   .writable = {"/", root / "data"}};
  EXPECT_TRUE(make_stdio_profile(entry, surroundings).program.access.writable.empty());
}

// FNV-1a of "a" is af63dc4c8601ec8c, as its authors publish it.
TEST_F(StdioProfileTest, the_home_of_a_name_is_the_same_with_every_library) {
  EXPECT_EQ(stdio_home("/data", "git-hub_2"), "/data/mcp-homes/git-hub_2");
  EXPECT_EQ(stdio_home("/data", "GitHub"), "/data/mcp-homes/_it_ub.a8c3b80277455232");
}

TEST_F(StdioProfileTest, homes_of_odd_names_stay_in_their_folder_and_apart) {
  const path homes = root / "data/mcp-homes";
  std::vector<path> made;
  for (const char* name : {"files", "Files", "..", "../x", "a/b", "a b", "a\nb", "", ".", "ä"}) {
    const path home = stdio_home(root / "data", name);
    EXPECT_EQ(home.lexically_normal().parent_path(), homes) << name;
    EXPECT_FALSE(has(made, home)) << name;
    made.push_back(home);
  }
}

}  // namespace
}  // namespace parley::orchestration::mcp
