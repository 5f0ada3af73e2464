#include "orchestration/sandbox/fence.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "tests/fakes/temp_directory.h"

namespace parley::orchestration::sandbox {
namespace {

Program plain_program() {
  Program program;
  program.argv = {"true"};
  return program;
}

constexpr ToolUser kOrdinary = {1000, 1000, false};
constexpr ToolUser kChanged = {60600, 60600, true};

std::string words_of(const Program& program, const ToolUser& user) {
  std::string words;
  for (const std::string& word : fence_command(program, declared_paths(program), user).arguments)
    words += word + " ";
  return words;
}

bool holds(const std::string& words, const std::string& part) {
  return words.find(part) != std::string::npos;
}

TEST(Fence, SeparatesEverything) {
  const std::string words = words_of(plain_program(), kOrdinary);
  EXPECT_TRUE(
      words.starts_with("--unshare-all --unshare-user --disable-userns --cap-drop ALL --die-with-parent "
                        "--new-session --clearenv "));
  EXPECT_TRUE(words.ends_with("--remount-ro / "));
}

TEST(Fence, NeverBindsTheWholeRootNorFoldersWithSecretsOrSockets) {
  const FenceCommand command = fence_command(plain_program(), {}, kOrdinary);
  for (const char* path :
       {"/", "/etc", "/run", "/var", "/home", "/root", "/sys", "/opt", "/mnt", "/srv", "/tmp"}) {
    const auto& words = command.arguments;
    for (auto at = words.begin(); at != words.end(); ++at) {
      if (!at->ends_with("bind") && !at->ends_with("bind-try")) continue;
      EXPECT_NE(*(at + 1), path);
      EXPECT_NE(*(at + 2), path);
    }
  }
}

TEST(Fence, SharesTheNetworkOnlyWhenAsked) {
  Program program = plain_program();
  EXPECT_FALSE(holds(words_of(program, kOrdinary), "--share-net"));
  EXPECT_FALSE(holds(words_of(program, kOrdinary), "resolv.conf"));
  program.access.network = Network::on;
  EXPECT_TRUE(holds(words_of(program, kOrdinary), "--share-net"));
  EXPECT_TRUE(holds(words_of(program, kOrdinary), "--ro-bind-try /etc/resolv.conf /etc/resolv.conf"));
}

TEST(Fence, BoundsEveryTemporaryFolder) {
  Program program = plain_program();
  program.limits.temporary_bytes = 12345;
  const std::string words = words_of(program, kOrdinary);
  for (const char* folder : {"/tmp", "/dev/shm", kHomeInside}) {
    EXPECT_TRUE(holds(words, std::string("--size 12345 --tmpfs ") + folder)) << words;
  }
}

TEST(Fence, BindsDeclaredPathsFoldersFirst) {
  Program program = plain_program();
  program.access.readable = {"/data/b/c", "/data/a"};
  program.access.writable = {"/data/b"};
  const std::string words = words_of(program, kOrdinary);
  EXPECT_TRUE(holds(words, "--ro-bind /data/a /data/a --bind /data/b /data/b --ro-bind /data/b/c /data/b/c"));
}

TEST(Fence, MakesLinksThatLeadToWhatIsBound) {
  DeclaredPaths declared;
  declared.links = {{"/opt/run", "/opt/tool/main"}};
  declared.paths = {{"/opt/run", "/opt/tool/main", false}};
  const FenceCommand command = fence_command(plain_program(), declared, kOrdinary);
  std::string words;
  for (const std::string& word : command.arguments) words += word + " ";
  EXPECT_TRUE(holds(words, "--symlink /opt/tool/main /opt/run --ro-bind /opt/run /opt/tool/main")) << words;
}

TEST(Fence, TakesStagedPlacesWhenTheUserIsChanged) {
  Program program = plain_program();
  program.access.readable = {"/data/b", "/data/a"};
  EXPECT_TRUE(holds(words_of(program, kChanged), "--ro-bind /tmp/0 /data/a --ro-bind /tmp/1 /data/b"));
}

// /usr/share stands in for a data folder that somebody put below /usr.
TEST(Fence, CoversWhatIsHiddenBelowUsr) {
  Program program = plain_program();
  const std::string folder = std::filesystem::canonical("/usr/share");
  EXPECT_FALSE(holds(words_of(program, kOrdinary), folder));
  program.access.hidden = {folder};
  for (const ToolUser& user : {kOrdinary, kChanged}) {
    EXPECT_TRUE(holds(words_of(program, user),
                      "--perms 0000 --size 4096 --tmpfs " + folder + " --remount-ro " + folder + " "));
  }
}

TEST(Fence, HidesAFolderUnlessSomethingInItIsDeclared) {
  const tests::fakes::TempDirectory directory;
  const std::filesystem::path home = std::filesystem::canonical(directory.path());
  const std::filesystem::path config = home / ".config/parley";
  std::filesystem::create_directories(config / "servers/one");
  Program program = plain_program();
  program.access.readable = {home};
  program.access.hidden_unless_declared = config;
  const std::string cover = "--tmpfs " + config.string() + " ";
  EXPECT_TRUE(holds(words_of(program, kOrdinary), cover));
  Program in_it = program;
  in_it.access.readable.push_back(config / "servers/one");
  EXPECT_FALSE(holds(words_of(in_it, kOrdinary), cover));
  in_it = program;
  in_it.working_directory = config;
  EXPECT_FALSE(holds(words_of(in_it, kOrdinary), cover));
  in_it = program;
  in_it.argv = {(config / "server.sh").string()};
  EXPECT_FALSE(holds(words_of(in_it, kOrdinary), cover));
}

TEST(Fence, NamesTheUserInASyntheticPasswd) {
  const FenceCommand command = fence_command(plain_program(), {}, kChanged);
  ASSERT_GE(command.data.size(), 2U);
  EXPECT_TRUE(command.data[0].starts_with("tool:x:60600:60600:"));
  EXPECT_EQ(command.data[0].find("root"), std::string::npos);
}

}  // namespace
}  // namespace parley::orchestration::sandbox
