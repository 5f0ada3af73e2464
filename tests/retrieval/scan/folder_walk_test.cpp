#include "retrieval/scan/folder_walk.h"

#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <vector>

#include "tests/retrieval/scan/sample_tree.h"

namespace parley::retrieval::scan {
namespace {

using Paths = std::vector<std::string>;

TEST(FolderWalk, TellsEveryFileWithItsStampAndEveryFolderBeforeIt) {
  const SampleTree tree;
  tree.add_all({"b.md", "a/one.txt", "a/deep/two.txt", "empty/"});
  const Walked found = walked(tree.root());
  EXPECT_EQ(found.end, WalkEnd::complete);
  EXPECT_EQ(found.files, (Paths{"b.md", "a/one.txt", "a/deep/two.txt"}));
  EXPECT_EQ(found.folders, (Paths{"", "a", "a/deep", "empty"}));
  EXPECT_TRUE(found.skipped.empty());
}

TEST(FolderWalk, GivesStampsThatChangeWithTheFile) {
  const SampleTree tree;
  tree.add("a.md", "four");
  std::vector<FileStamp> stamps;
  WalkSink sink;
  sink.file = [&stamps](const FoundFile& file) { stamps.push_back(file.stamp); };
  walk_folder(tree.root(), "", {}, sink, {});
  walk_folder(tree.root(), "", {}, sink, {});
  tree.add("a.md", "longer");
  walk_folder(tree.root(), "", {}, sink, {});
  ASSERT_EQ(stamps.size(), 3U);
  EXPECT_EQ(stamps[0], stamps[1]);
  EXPECT_FALSE(stamps[1] == stamps[2]);
  EXPECT_EQ(stamps[0].size, 4);
  EXPECT_EQ(stamps[2].inode, stamps[0].inode);
  EXPECT_GT(stamps[0].mtime_ns, 1'500'000'000'000'000'000);
}

TEST(FolderWalk, SaysWhatItPassesOverAndWhy) {
  const SampleTree tree;
  tree.add_all({"node_modules/x/y.js", ".git/config", "docs/a.log", "docs/b.md", "photo.png", "big.txt"});
  tree.add("docs/.gitignore", "*.log\n");
  tree.add("big.txt", std::string(2'000, 'x'));
  const Walked found = walked(tree.root(), {.max_file_bytes = 1'000});
  EXPECT_EQ(found.files, Paths{"docs/b.md"});
  EXPECT_EQ(found.skipped.at("node_modules"), "left out by default: dependencies");
  EXPECT_EQ(found.skipped.at(".git"), "version control");
  EXPECT_EQ(found.skipped.at("docs/a.log"), "ignored by docs/.gitignore");
  EXPECT_EQ(found.skipped.at("photo.png"), "left out by default: a picture");
  EXPECT_EQ(found.skipped.at("big.txt"), "larger than 1000 bytes");
  EXPECT_FALSE(found.skipped.contains("node_modules/x"));
  EXPECT_TRUE(found.unreadable.empty());
}

TEST(FolderWalk, NamesTheLimitInMegabytes) {
  const SampleTree tree;
  tree.add("big.txt");
  std::filesystem::resize_file(tree.at("big.txt"), 101 << 20);
  EXPECT_EQ(walked(tree.root()).skipped.at("big.txt"), "larger than 100 MB");
}

TEST(FolderWalk, TakesBuildForAnOutputOnlyBesideAProject) {
  const SampleTree tree;
  tree.add_all({"app/build/x.md", "app/package.json", "house/build/y.md"});
  const Walked found = walked(tree.root());
  EXPECT_EQ(found.files, (Paths{"app/package.json", "house/build/y.md"}));
  EXPECT_EQ(found.skipped.at("app/build"), "left out by default: made by a build or a tool");
}

TEST(FolderWalk, WalksBelowAStartByTheRulesAboveIt) {
  const SampleTree tree;
  tree.add_all({"a/one.md", "a/b/two.md", "a/b/two.log", "c/three.md", "node_modules/x/y.md"});
  tree.add("a/.gitignore", "*.log\n");
  EXPECT_EQ(walked(tree.root(), {}, "a").files, (Paths{"a/one.md", "a/b/two.md"}));
  EXPECT_EQ(walked(tree.root(), {}, "a").folders, (Paths{"a", "a/b"}));
  EXPECT_EQ(walked(tree.root(), {}, "a/b").files, Paths{"a/b/two.md"});
  EXPECT_EQ(walked(tree.root(), {}, "a/b/two.md").files, Paths{"a/b/two.md"});
  EXPECT_EQ(walked(tree.root(), {}, "a/b/two.log").skipped.at("a/b/two.log"), "ignored by a/.gitignore");
  EXPECT_EQ(walked(tree.root(), {}, "node_modules/x").skipped.count("node_modules"), 1U);
  EXPECT_EQ(walked(tree.root(), {}, "node_modules/x").files, Paths{});
  const Walked gone = walked(tree.root(), {}, "a/gone/x");
  EXPECT_EQ(gone.end, WalkEnd::complete);
  EXPECT_TRUE(gone.files.empty() && gone.skipped.empty());
  EXPECT_EQ(walked(tree.root(), {}, "..").files, Paths{});
  EXPECT_EQ(walked(tree.root(), {}, "a/../..").files, Paths{});
}

TEST(FolderWalk, StopsWhenTold) {
  const SampleTree tree;
  tree.add_all({"a.md", "b.md", "c/d.md"});
  std::stop_source stop;
  int num_files = 0;
  WalkSink sink;
  sink.file = [&](const FoundFile&) {
    ++num_files;
    stop.request_stop();
  };
  EXPECT_EQ(walk_folder(tree.root(), "", {}, sink, stop.get_token()), WalkEnd::stopped);
  EXPECT_EQ(num_files, 1);
}

TEST(FolderWalk, TakesPathsForBytes) {
  const SampleTree tree;
  const std::string name = "\xFF\xFE line\nend \"'.md";
  tree.add("d\xC0/" + name);
  EXPECT_EQ(walked(tree.root()).files, Paths{"d\xC0/" + name});
}

TEST(FolderWalk, TellsTheRootsOwnStamp) {
  const SampleTree tree;
  const auto stamp = stamp_of_root(tree.root());
  ASSERT_TRUE(stamp);
  struct stat status {};
  ASSERT_EQ(::stat(tree.root().c_str(), &status), 0);
  EXPECT_EQ(stamp->device, status.st_dev);
  EXPECT_EQ(stamp->inode, status.st_ino);
  EXPECT_FALSE(stamp_of_root(tree.at("gone")));
}

TEST(FolderWalk, WalksAHundredThousandFilesInSeconds) {
  const SampleTree tree;
  for (int folder = 0; folder < 1'000; ++folder) {
    const std::filesystem::path path = tree.at(std::to_string(folder));
    tree.add(std::to_string(folder) + "/0.md");
    for (int file = 1; file < 100; ++file) {  // links are made faster than files
      std::filesystem::create_hard_link(path / "0.md", path / (std::to_string(file) + ".md"));
    }
  }
  tree.add(".gitignore", "*.log\n*.tmp\nbuild/\n/private\n!keep\n");
  int num_files = 0;
  WalkSink sink;
  sink.file = [&num_files](const FoundFile&) { ++num_files; };
  const auto begin = std::chrono::steady_clock::now();
  EXPECT_EQ(walk_folder(tree.root(), "", {}, sink, {}), WalkEnd::complete);
  const auto took = std::chrono::steady_clock::now() - begin;
  EXPECT_EQ(num_files, 100'000);
  EXPECT_LT(took, std::chrono::seconds(120));  // of the release build: well below one
  RecordProperty("milliseconds",
                 static_cast<int>(std::chrono::duration_cast<std::chrono::milliseconds>(took).count()));
}

}  // namespace
}  // namespace parley::retrieval::scan
