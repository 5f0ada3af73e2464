// fence_problem in surroundings where something is missing. Each is a namespace of its own, made by
// util-linux' unshare, so nothing here is changed.

#include <gtest/gtest.h>

#include <cstdio>
#include <memory>

#include "tests/orchestration/sandbox/sandbox_run.h"

namespace parley::orchestration::sandbox {
namespace {

class FenceProblem : public tests::FencedTest {
 protected:
  static std::string probe_in(const std::string& surroundings, const std::string& before) {
    const std::string command =
        surroundings + " sh -c '" + before + " && exec " + tests::beside("other_parley") + "' 2>&1";
    const std::unique_ptr<FILE, int (*)(FILE*)> pipe(::popen(command.c_str(), "r"), &::pclose);
    std::string output;
    char buffer[1024];
    while (pipe != nullptr && std::fgets(buffer, sizeof buffer, pipe.get()) != nullptr) output += buffer;
    return output;
  }
  static bool holds(const std::string& text, const char* part) {
    return text.find(part) != std::string::npos;
  }
};

TEST_F(FenceProblem, IsEmptyWhereAllIsWell) { EXPECT_EQ(probe_in("", "true"), "\n"); }

TEST_F(FenceProblem, NamesBubblewrapWhenItIsNotInstalled) {
  const std::string problem = probe_in("unshare -Urm", "mount --bind /dev/null /usr/bin/bwrap");
  EXPECT_TRUE(holds(problem, "bubblewrap is not installed; install it")) << problem;
  EXPECT_TRUE(holds(problem, R"("sandbox": "none")")) << problem;
}

TEST_F(FenceProblem, NamesUserNamespacesWhenThereMayBeNone) {
  const std::string problem = probe_in(
      "bwrap --dev-bind / / --proc /proc --unshare-user --uid 1234 --gid 1234 --disable-userns", "true");
  EXPECT_TRUE(holds(problem, "does not permit user namespaces")) << problem;
  EXPECT_TRUE(holds(problem, "max_user_namespaces")) << problem;
}

TEST_F(FenceProblem, NamesTheUserIdThatCannotBeTaken) {
  const std::string problem = probe_in("unshare -Ur", "true");
  EXPECT_TRUE(holds(problem, "cannot change to user id 60600")) << problem;
}

}  // namespace
}  // namespace parley::orchestration::sandbox
