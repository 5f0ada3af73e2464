#include "orchestration/sandbox/program_check.h"

#include <gtest/gtest.h>

#include <fstream>

#include "tests/fakes/temp_directory.h"

namespace parley::orchestration::sandbox {
namespace {

namespace fs = std::filesystem;

Program good_program() {
  Program program;
  program.argv = {"true"};
  return program;
}

Program reading(const fs::path& path) {
  Program program = good_program();
  program.access.readable = {path};
  return program;
}

TEST(ProgramCheck, FindsNothingWrongWithAGoodProgram) { EXPECT_EQ(program_problem(good_program()), ""); }

TEST(ProgramCheck, RefusesWordsThatCannotBePassed) {
  Program program;
  EXPECT_EQ(program_problem(program), "no program is named");
  program.argv = {""};
  EXPECT_EQ(program_problem(program), "no program is named");
  program.argv = {"echo", std::string("a\0b", 3)};
  EXPECT_NE(program_problem(program).find("NUL"), std::string::npos);
  for (const std::string& name : {std::string("A=B"), std::string(), std::string("A\0B", 3)}) {
    program = good_program();
    program.environment[name] = "value";
    EXPECT_NE(program_problem(program).find("environment variable"), std::string::npos) << name;
  }
}

TEST(ProgramCheck, RefusesLimitsThatLeaveNoRoom) {
  Program program = good_program();
  program.limits.processes = 0;
  EXPECT_NE(program_problem(program), "");
}

TEST(ProgramCheck, RefusesPathsThatWouldUndoTheFence) {
  for (const char* path : {"/", "/run", "/var", "/etc", "/tmp", "/home", "/root", "/proc", "/proc/1", "/sys",
                           "/dev", "/dev/shm", "relative", "/usr/../etc", "/no/such/path"}) {
    EXPECT_NE(program_problem(reading(path)), "") << path;
    Program program = good_program();
    program.access.writable = {path};
    EXPECT_NE(program_problem(program), "") << path;
  }
}

TEST(ProgramCheck, RefusesThemBehindALinkToo) {
  const tests::fakes::TempDirectory folder;
  fs::create_symlink("/", folder.path() / "link");
  fs::create_symlink("/proc/self", folder.path() / "process");
  EXPECT_NE(program_problem(reading(folder.path() / "link")), "");
  EXPECT_NE(program_problem(reading(folder.path() / "process")), "");
}

TEST(ProgramCheck, RefusesWhatIsHiddenButNotTheHomeInIt) {
  const tests::fakes::TempDirectory folder;
  fs::create_directories(folder.path() / "data" / "homes" / "one");
  fs::create_symlink(folder.path() / "data", folder.path() / "link");
  Program program = reading(folder.path() / "data" / "homes");
  program.access.hidden = {folder.path() / "data"};
  EXPECT_NE(program_problem(program).find("Parley's own"), std::string::npos);
  program.access.readable = {folder.path() / "link" / "homes"};
  EXPECT_NE(program_problem(program).find("Parley's own"), std::string::npos);
  program.access.readable = {folder.path()};
  program.access.home = folder.path() / "data" / "homes" / "one";
  EXPECT_EQ(program_problem(program), "");
}

TEST(ProgramCheck, RefusesALinkThatAProgramMayHavePlanted) {
  const tests::fakes::TempDirectory folder;
  fs::create_directory(folder.path() / "work");
  fs::create_symlink("/usr", folder.path() / "work" / "planted");
  fs::create_directory(folder.path() / "work" / "real");
  Program program = reading(folder.path() / "work" / "planted");
  program.access.writable = {folder.path() / "work"};
  EXPECT_NE(program_problem(program).find("link"), std::string::npos);
  program.access.readable = {folder.path() / "work" / "real"};
  EXPECT_EQ(program_problem(program), "");
}

TEST(ProgramCheck, RefusesALinkThatAnotherProgramMayHavePlanted) {
  const tests::fakes::TempDirectory folder;
  fs::create_directories(folder.path() / "work" / "real");
  fs::create_directories(folder.path() / "secret");
  fs::create_symlink(folder.path() / "secret", folder.path() / "work" / "in");
  fs::create_symlink(folder.path() / "work" / "in", folder.path() / "by_operator");
  fs::create_symlink(folder.path() / "work" / "real", folder.path() / "to_real");
  for (const char* way : {"work/in", "by_operator", "work/real/../in"}) {
    Program program = reading(fs::path(folder.path() / way).lexically_normal());
    EXPECT_EQ(program_problem(program), "") << way << ": nobody may write there";
    program.access.changeable = {folder.path() / "work"};
    EXPECT_NE(program_problem(program).find("work/in, which lies in a folder that programs may write to"),
              std::string::npos)
        << program_problem(program);
  }
  Program program = reading(folder.path() / "to_real");
  program.access.changeable = {folder.path() / "work"};
  EXPECT_EQ(program_problem(program), "") << "the operator's own link, to a real folder";
}

TEST(ProgramCheck, DoesNotJudgePathsWhereThereIsNoFence) {
  Program program = reading("/");
  program.access.fence = Fence::none;
  EXPECT_EQ(program_problem(program), "");
}

}  // namespace
}  // namespace parley::orchestration::sandbox
