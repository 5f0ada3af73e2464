// What lies in the way of a walk: links, special files, missing rights, few descriptors, folders that go.

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/un.h>

#include <algorithm>
#include <string>
#include <vector>

#include "retrieval/scan/folder_walk.h"
#include "tests/retrieval/scan/sample_tree.h"

namespace parley::retrieval::scan {
namespace {

using Paths = std::vector<std::string>;

TEST(FolderWalkDamage, FollowsNoSymbolicLink) {
  const SampleTree tree;
  tree.add_all({"real/a.md", "../secret/b.md"});
  std::filesystem::create_directory_symlink(tree.outside() / "secret", tree.at("out"));
  std::filesystem::create_directory_symlink("real", tree.at("in"));
  std::filesystem::create_directory_symlink(".", tree.at("loop"));
  std::filesystem::create_symlink("real/a.md", tree.at("file"));
  const Walked found = walked(tree.root());
  EXPECT_EQ(found.files, Paths{"real/a.md"});
  for (const char* link : {"out", "in", "loop", "file"}) {
    EXPECT_EQ(found.skipped.at(link), "a symbolic link");
  }
  EXPECT_EQ(walked(tree.root(), {}, "out/b.md").files, Paths{});
  EXPECT_EQ(walked(tree.root(), {}, "in/a.md").files, Paths{});
  EXPECT_EQ(walked(tree.root(), {}, "file").files, Paths{});
}

TEST(FolderWalkDamage, FollowsTheRootWhenItIsALink) {
  const SampleTree tree;
  tree.add("a.md");
  std::filesystem::create_directory_symlink(tree.root(), tree.outside() / "link");
  EXPECT_EQ(walked(tree.outside() / "link").files, Paths{"a.md"});
}

TEST(FolderWalkDamage, ReadsNoIgnoreFileThroughALinkOrFromAPipe) {
  const SampleTree tree;
  tree.add_all({"a.md", "sub/b.md"});
  tree.add("../rules", "*.md\n");
  std::filesystem::create_symlink(tree.outside() / "rules", tree.at(".gitignore"));
  ASSERT_EQ(::mkfifo(tree.at("sub/.gitignore").c_str(), 0600), 0);
  const int pipe = ::open(tree.at("sub/.gitignore").c_str(), O_RDWR | O_CLOEXEC);
  ASSERT_EQ(::write(pipe, "*.md\n", 5), 5);
  EXPECT_EQ(walked(tree.root()).files, (Paths{"a.md", "sub/b.md"}));
  ::close(pipe);
}

TEST(FolderWalkDamage, SaysWhenAnIgnoreFileIsTooLong) {
  const SampleTree tree;
  tree.add("a.md");
  tree.add(".gitignore", std::string(300'000, '\n') + "*.md\n");
  const Walked found = walked(tree.root());
  EXPECT_EQ(found.files, Paths{"a.md"});
  EXPECT_EQ(found.skipped.at(".gitignore"),
            "this ignore file cannot be read or is too long: its rules do not hold");
}

TEST(FolderWalkDamage, OpensNoSpecialFile) {
  const SampleTree tree;
  tree.add("a.md");
  ASSERT_EQ(::mkfifo(tree.at("pipe").c_str(), 0600), 0);
  const int socket = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  const std::string path = tree.at("socket").string();
  path.copy(address.sun_path, sizeof address.sun_path - 1);
  ASSERT_EQ(::bind(socket, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
  const Walked found = walked(tree.root());
  ::close(socket);
  EXPECT_EQ(found.files, Paths{"a.md"});
  EXPECT_EQ(found.skipped.at("pipe"), "no regular file but a pipe, a socket or a device");
  EXPECT_EQ(found.skipped.count("socket"), 1U);
}

TEST(FolderWalkDamage, GoesOnPastAFolderThatMayNotBeRead) {
  const SampleTree tree;
  tree.add_all({"a/x.md", "b/y.md", "c/z.md"});
  std::filesystem::permissions(tree.outside(), std::filesystem::perms::all);
  std::filesystem::permissions(tree.at("b"), std::filesystem::perms::none);
  Walked found;
  {
    const AsNobody nobody;
    found = walked(tree.root());
  }
  std::filesystem::permissions(tree.at("b"), std::filesystem::perms::all);
  EXPECT_EQ(found.end, WalkEnd::complete);
  EXPECT_EQ(found.files, (Paths{"a/x.md", "c/z.md"}));
  EXPECT_EQ(found.skipped.at("b"), "permission denied");
  EXPECT_EQ(found.unreadable, Paths{"b"});
}

TEST(FolderWalkDamage, TellsARootThatIsGoneFromOneThatMayNotBeRead) {
  const SampleTree tree;
  tree.add_all({"a.md", "locked/b.md"});
  EXPECT_EQ(walked(tree.at("gone")).end, WalkEnd::root_gone);
  EXPECT_EQ(walked(tree.at("a.md")).end, WalkEnd::root_gone);
  std::filesystem::permissions(tree.outside(), std::filesystem::perms::all);
  std::filesystem::permissions(tree.at("locked"), std::filesystem::perms::none);
  WalkEnd end = WalkEnd::complete;
  {
    const AsNobody nobody;
    end = walked(tree.at("locked")).end;
  }
  std::filesystem::permissions(tree.at("locked"), std::filesystem::perms::all);
  EXPECT_EQ(end, WalkEnd::root_unreadable);
}

TEST(FolderWalkDamage, SeesTheRootGoWhileItIsWalked) {
  const SampleTree tree;
  tree.add_all({"a.md", "b/c.md"});
  WalkSink sink;
  sink.file = [&tree](const FoundFile&) { std::filesystem::remove_all(tree.root()); };
  EXPECT_EQ(walk_folder(tree.root(), "", {}, sink, {}), WalkEnd::root_gone);
}

TEST(FolderWalkDamage, PassesOverWhatGoesWhileItIsWalked) {
  const SampleTree tree;
  tree.add_all({"a.md", "b.md", "c/d.md"});
  Paths files;
  WalkSink sink;
  sink.file = [&](const FoundFile& file) {
    files.push_back(file.path);
    tree.remove("b.md");
    tree.remove("c");
  };
  EXPECT_EQ(walk_folder(tree.root(), "", {}, sink, {}), WalkEnd::complete);
  EXPECT_EQ(files, Paths{"a.md"});
}

std::string deep_path(int depth) {
  std::string path;
  for (int level = 0; level < depth; ++level) {
    path += "f/";
  }
  return path;
}

TEST(FolderWalkDamage, NeedsFewDescriptorsForADeepTree) {
  const SampleTree tree;
  const int kDepth = 400;
  for (int depth = 0; depth < kDepth; depth += 40) {
    tree.add(deep_path(depth) + "g/in.md");
  }
  tree.add(deep_path(kDepth) + "end.md");
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_NOFILE, &before), 0);
  const int next = ::open("/", O_RDONLY | O_CLOEXEC);
  ::close(next);
  const rlimit few{.rlim_cur = static_cast<rlim_t>(next) + 40, .rlim_max = before.rlim_max};
  ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &few), 0);
  const Walked found = walked(tree.root());
  ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &before), 0);
  EXPECT_TRUE(found.unreadable.empty());
  EXPECT_EQ(found.files.size(), 11U);
  EXPECT_EQ(found.files.front(), deep_path(kDepth) + "end.md");
}

TEST(FolderWalkDamage, FindsBackWhenAFolderAboveIsMovedMeanwhile) {
  const SampleTree tree;
  tree.add(deep_path(60) + "end.md");
  tree.add(deep_path(10) + "z.d/late.md");
  tree.add("z.md");
  Paths files;
  WalkSink sink;
  Paths unreadable;
  sink.file = [&](const FoundFile& file) {
    files.push_back(file.path);
    if (file.path.ends_with("end.md")) {
      std::filesystem::rename(tree.at(deep_path(11)), tree.outside() / "moved");
    }
  };
  sink.skipped = [&](const SkippedPath& path) { unreadable.push_back(path.path); };
  EXPECT_EQ(walk_folder(tree.root(), "", {}, sink, {}), WalkEnd::complete);
  EXPECT_EQ(files, (Paths{"z.md", deep_path(60) + "end.md", deep_path(10) + "z.d/late.md"}));
  EXPECT_TRUE(unreadable.empty());
}

TEST(FolderWalkDamage, SaysWhenAPathIsTooLongToBeOpened) {
  const SampleTree tree;
  const std::string name(250, 'n');
  int folder = ::open(tree.root().c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  for (int depth = 0; depth < 20; ++depth) {
    ASSERT_EQ(::mkdirat(folder, name.c_str(), 0700), 0);
    const int inner = ::openat(folder, name.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    ::close(folder);
    folder = inner;
  }
  ::close(folder);
  const Walked found = walked(tree.root());
  EXPECT_EQ(found.end, WalkEnd::complete);
  ASSERT_EQ(found.skipped.size(), 1U);
  EXPECT_EQ(found.skipped.begin()->second, "its path is too long to be opened");
}

}  // namespace
}  // namespace parley::retrieval::scan
