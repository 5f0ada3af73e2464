#include "retrieval/scan/default_excludes.h"

#include <gtest/gtest.h>

#include "retrieval/scan/folder_handle.h"
#include "tests/retrieval/scan/sample_tree.h"

namespace parley::retrieval::scan {
namespace {

TEST(DefaultExcludes, LeaveOutDependenciesAndBuilds) {
  for (const char* name :
       {"node_modules", "__pycache__", "venv", "CMakeFiles", "cmake-build-debug", "x.egg-info"}) {
    EXPECT_TRUE(default_exclusion(name, PathKind::folder)) << name;
    EXPECT_FALSE(default_exclusion("notes", PathKind::folder));
  }
  EXPECT_FALSE(default_exclusion("node_modules", PathKind::file));
}

TEST(DefaultExcludes, LeaveOutFilesWithoutTextByTheirEnding) {
  EXPECT_EQ(default_exclusion("a.PNG", PathKind::file), "a picture");
  EXPECT_EQ(default_exclusion("film.mp4", PathKind::file), "sound or film");
  EXPECT_EQ(default_exclusion("lib.so", PathKind::file), "a program or a part of one");
  EXPECT_EQ(default_exclusion("x.tar.gz", PathKind::file), "an archive of many files");
  EXPECT_EQ(default_exclusion("~$letter.docx", PathKind::file), "a temporary file");
  for (const char* name :
       {"letter.docx", "changelog.gz", "a.pdf", "README", ".png", "png", "a.b-long-ending-of-it"}) {
    EXPECT_FALSE(default_exclusion(name, PathKind::file)) << name;
  }
}

TEST(DefaultExcludes, KnowVersionControl) {
  EXPECT_TRUE(is_version_control(".git"));
  EXPECT_FALSE(is_version_control("git"));
}

TEST(DefaultExcludes, TakeAProjectsFileForASignOfBuilds) {
  const SampleTree tree;
  EXPECT_TRUE(may_be_build_output("target"));
  EXPECT_FALSE(may_be_build_output("targets"));
  EXPECT_FALSE(is_project_folder(FolderHandle::open_root(tree.root()).descriptor()));
  tree.add("Cargo.toml");
  EXPECT_TRUE(is_project_folder(FolderHandle::open_root(tree.root()).descriptor()));
}

}  // namespace
}  // namespace parley::retrieval::scan
