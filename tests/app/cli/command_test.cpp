#include "app/cli/command.h"

#include <gtest/gtest.h>

#include "tests/app/cli/program_run.h"

namespace parley::app::cli {
namespace {

TEST(Program, WithoutACommandShowsHelpAndFails) {
  const Outcome result = run({});
  EXPECT_EQ(result.status, 2);
  EXPECT_NE(result.err.find("usage: parley COMMAND"), std::string::npos);
}

TEST(Program, HelpAndVersionSucceed) {
  EXPECT_EQ(run({"--help"}).status, 0);
  EXPECT_EQ(run({"--version"}).out.substr(0, 7), "parley ");
}

TEST(Program, EveryCommandHasHelp) {
  for (const Command& command : commands()) {
    const Outcome result = run({std::string(command.name), "--help"});
    EXPECT_EQ(result.status, 0) << command.name;
    EXPECT_NE(result.out.find("usage: parley " + std::string(command.name)), std::string::npos)
        << command.name;
  }
}

TEST(Program, AMisspeltCommandNamesTheNearest) {
  const Outcome result = run({"srve"});
  EXPECT_EQ(result.status, 2);
  EXPECT_NE(result.err.find("did you mean serve?"), std::string::npos);
}

TEST(Program, UsageIsTwoAndFailureIsOne) {
  EXPECT_EQ(run({"serve", "--port", "x"}).status, 2);
  EXPECT_EQ(run({"inspect"}).status, 2);
  EXPECT_EQ(run({"inspect", "/nonexistent/x.gguf"}).status, 1);
  EXPECT_EQ(run({"generate", "--model", "/nonexistent/x.gguf", "--prompt", "a"}).status, 1);
}

}  // namespace
}  // namespace parley::app::cli
