// The walk against git's own reading of the same ignore files.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "tests/retrieval/scan/sample_tree.h"

namespace parley::retrieval::scan {
namespace {

class RandomRules {
 public:
  explicit RandomRules(unsigned seed) : random_(seed) {}

  std::string name() {
    static const std::vector<std::string> kNames = {"a",   "b",  "ab", "foo", "bar.md", "foo.md",
                                                    "x y", "#c", "!d", "[e]", "f*",     "B"};
    return kNames[below(kNames.size())];
  }

  std::string ignore_file() {
    std::string text;
    for (std::size_t line = 1 + below(6); line > 0; --line) {
      text += pattern() + (below(12) == 0 ? "\r\n" : below(12) == 0 ? "  \n" : "\n");
    }
    return text;
  }

  std::size_t below(std::size_t limit) { return random_() % limit; }

 private:
  std::string pattern() {
    switch (below(16)) {
      case 0:
        return "# a comment";
      case 1:
        return below(2) == 0 ? "" : "[a";
      default:
        break;
    }
    std::string text = below(4) == 0 ? "!" : "";
    text += below(5) == 0 ? "/" : "";
    text += below(6) == 0 ? "**/" : "";
    text += part();
    while (below(3) == 0) {
      text += below(4) == 0 ? "/**/" : "/";
      text += part();
    }
    text += below(4) == 0 ? "/" : below(10) == 0 ? "/**" : below(10) == 0 ? "/*" : "";
    return text;
  }

  std::string part() {
    std::string text;
    for (const char byte : name()) {
      switch (below(14)) {
        case 0:
          text += '?';
          break;
        case 1:
          text += '*';
          break;
        case 2:
          text += std::string("[") + (below(2) == 0 ? "!" : "") + "a-c" + byte + "]";
          break;
        case 3:
          text += std::string("\\") + byte;
          break;
        case 4:
          text += "[[:alpha:].]";
          break;
        default:
          text += byte;
      }
    }
    return below(8) == 0 ? "*" : below(12) == 0 ? "*" + text : text;
  }

  std::mt19937 random_;
};

std::vector<std::string> git_ignored(const SampleTree& tree, const std::vector<std::string>& paths) {
  {
    std::ofstream list(tree.outside() / "paths", std::ios::binary);
    for (const std::string& path : paths) {
      list << path << '\0';
    }
  }
  const std::string folder = tree.outside().string();
  const std::string command =
      "cd '" + folder + "/root' && GIT_CONFIG_NOSYSTEM=1 HOME='" + folder +
      "' git init -q && GIT_CONFIG_NOSYSTEM=1 HOME='" + folder +
      "' git -c core.excludesFile=/dev/null check-ignore --no-index -z --stdin <../paths >../ignored";
  const int status = std::system(command.c_str());  // 1: none is ignored
  EXPECT_TRUE(WEXITSTATUS(status) <= 1) << command;
  std::ifstream file(tree.outside() / "ignored", std::ios::binary);
  std::vector<std::string> ignored;
  for (std::string path; std::getline(file, path, '\0');) {
    ignored.push_back(path);
  }
  return ignored;
}

std::string shown_rules(const SampleTree& tree) {
  std::string text;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(tree.root())) {
    if (entry.path().filename() == ".gitignore") {
      std::ifstream file(entry.path());
      text += entry.path().string() + ":\n" +
              std::string(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
    }
  }
  return text;
}

TEST(GitCheckIgnore, AgreesWithTheWalkOnRandomRules) {
  if (std::system("git --version >/dev/null 2>&1") != 0) {
    GTEST_SKIP() << "git is not installed";
  }
  std::size_t num_paths = 0;
  std::size_t num_ignored = 0;
  for (unsigned seed = 0; seed < 40; ++seed) {
    const SampleTree tree;
    RandomRules rules(seed);
    std::set<std::string> paths;
    tree.add(".gitignore", rules.ignore_file());
    for (int file = 0; file < 40; ++file) {
      std::string path;
      for (std::size_t depth = rules.below(4); depth > 0; --depth) {
        path += rules.name() + ".d/";
        if (rules.below(6) == 0) {
          tree.add(path + ".gitignore", rules.ignore_file());
        }
      }
      path += rules.name();
      tree.add(path);
      paths.insert(path);
    }
    const std::vector<std::string> all(paths.begin(), paths.end());
    std::vector<std::string> expected = git_ignored(tree, all);
    std::sort(expected.begin(), expected.end());
    const Walked found = walked(tree.root());
    const std::set<std::string> kept(found.files.begin(), found.files.end());
    std::vector<std::string> ignored;
    std::copy_if(all.begin(), all.end(), std::back_inserter(ignored),
                 [&kept](const std::string& path) { return !kept.contains(path); });
    ASSERT_EQ(ignored, expected) << "seed " << seed << "\n" << shown_rules(tree);
    num_paths += all.size();
    num_ignored += expected.size();
  }
  EXPECT_GT(num_paths, 800U);
  EXPECT_GT(num_ignored, num_paths / 10);
  EXPECT_LT(num_ignored, num_paths * 9 / 10);
}

}  // namespace
}  // namespace parley::retrieval::scan
