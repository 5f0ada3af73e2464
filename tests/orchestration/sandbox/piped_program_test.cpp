#include "orchestration/sandbox/piped_program.h"

#include <gtest/gtest.h>

#include <condition_variable>
#include <mutex>
#include <stdexcept>
#include <thread>

#include "tests/fakes/eventually.h"
#include "tests/fakes/temp_directory.h"
#include "tests/orchestration/sandbox/sandbox_run.h"

namespace parley::orchestration::sandbox {
namespace {

using tests::shell;
using tests::fakes::eventually;
using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;
using Lines = std::vector<std::string>;

// What a program said; any thread.
class Record {
 public:
  PipedHandlers handlers() {
    return {.on_line = [this](std::string_view line) { add(lines_, line); },
            .on_error_line = [this](std::string_view line) { add(error_lines_, line); },
            .on_end = [this](const std::string& reason) { add(ends_, reason); }};
  }
  Lines lines() const { return copy(lines_); }
  Lines error_lines() const { return copy(error_lines_); }
  Lines ends() const { return copy(ends_); }
  bool has_lines(std::size_t count) const {
    return eventually([&] { return lines().size() >= count; }, milliseconds(20000));
  }
  bool has_ended() const {
    return eventually([&] { return !ends().empty(); }, milliseconds(20000));
  }

 private:
  void add(Lines& list, std::string_view line) {
    const std::scoped_lock lock(mutex_);
    list.emplace_back(line);
  }
  Lines copy(const Lines& list) const {
    const std::scoped_lock lock(mutex_);
    return list;
  }

  mutable std::mutex mutex_;
  Lines lines_;
  Lines error_lines_;
  Lines ends_;
};

class PipedProgramTest : public tests::FencedTest, public testing::WithParamInterface<Fence> {
 protected:
  void SetUp() override {
    if (GetParam() == Fence::bubblewrap) FencedTest::SetUp();
  }
  std::unique_ptr<PipedProgram> start(std::string script, const PipedLimits& limits = {}) {
    return start_piped_program(shell(std::move(script), GetParam()), record_.handlers(), limits);
  }
  Record record_;
};

INSTANTIATE_TEST_SUITE_P(Fences, PipedProgramTest, testing::Values(Fence::bubblewrap, Fence::none),
                         [](const auto& shown) {
                           return shown.param == Fence::none ? "none" : "bubblewrap";
                         });

TEST_P(PipedProgramTest, what_a_handler_throws_ends_the_program_and_not_the_process) {
  PipedHandlers handlers = record_.handlers();
  handlers.on_line = [](std::string_view) { throw std::runtime_error("no memory"); };
  const auto program = start_piped_program(shell("echo x; exec sleep 1000", GetParam()), std::move(handlers));
  ASSERT_TRUE(record_.has_ended());
  EXPECT_EQ(record_.ends(), Lines{"Parley could not go on with it: no memory"});
  EXPECT_FALSE(program->write_line("x"));
}

TEST_P(PipedProgramTest, TalksInLines) {
  const auto program = start("while read -r line; do echo \"got $line\"; echo \"saw $line\" >&2; done");
  EXPECT_TRUE(program->write_line("one"));
  EXPECT_TRUE(record_.has_lines(1));
  EXPECT_TRUE(program->write_line("two"));
  EXPECT_TRUE(record_.has_lines(2));
  EXPECT_EQ(record_.lines(), (Lines{"got one", "got two"}));
  EXPECT_TRUE(eventually([&] { return record_.error_lines().size() == 2; }));
  EXPECT_EQ(record_.ends(), Lines{});
}

TEST_P(PipedProgramTest, IsTheSameAfterTheThreadThatStartedItHasEnded) {
  std::unique_ptr<PipedProgram> program;
  std::jthread([&] { program = start("while read -r line; do echo \"$line\"; done"); }).join();
  std::this_thread::sleep_for(milliseconds(200));
  EXPECT_TRUE(program->write_line("still here"));
  EXPECT_TRUE(record_.has_lines(1));
}

TEST_P(PipedProgramTest, SaysOnceHowItEnded) {
  {
    const auto program = start("echo last; printf unfinished; exit 3");
    EXPECT_TRUE(record_.has_ended());
    EXPECT_FALSE(program->write_line("too late"));
  }
  EXPECT_EQ(record_.lines(), (Lines{"last", "unfinished"}));
  EXPECT_EQ(record_.ends(), Lines{"exited with status 3"});
}

TEST_P(PipedProgramTest, SaysWhichSignalEndedIt) {
  const auto program = start("kill -KILL $$");
  EXPECT_TRUE(record_.has_ended());
  EXPECT_EQ(record_.ends(), Lines{"ended by signal 9"});
}

TEST_P(PipedProgramTest, SaysWhyItCouldNotBeStarted) {
  const auto program =
      start_piped_program(tests::program_of({"no-such-program"}, GetParam()), record_.handlers());
  EXPECT_TRUE(record_.has_ended());
  EXPECT_NE(record_.ends().at(0).find("no-such-program cannot be executed"), std::string::npos);
}

TEST_P(PipedProgramTest, LetsItLeaveByItselfWhenItsInputEnds) {
  auto program = start("echo up; while read -r line; do :; done; echo left");
  EXPECT_TRUE(record_.has_lines(1));
  program.reset();
  EXPECT_EQ(record_.ends(), Lines{"exited with status 0"});
  EXPECT_EQ(record_.lines(), (Lines{"up", "left"}));
}

TEST_P(PipedProgramTest, EndsWithinTwoSecondsWhateverItDoes) {
  for (const char* script : {"trap '' TERM; while :; do sleep 1; done", "exec sleep 600", "yes",
                             "exec >&- 2>&-; sleep 600", "setsid sleep 600 & while :; do sleep 1; done"}) {
    Record record;
    auto program =
        start_piped_program(shell(std::string("echo up; ") + script, GetParam()), record.handlers());
    EXPECT_TRUE(record.has_lines(1)) << script;
    const auto begin = Clock::now();
    program.reset();
    EXPECT_LT(Clock::now() - begin, milliseconds(2000)) << script;
    EXPECT_EQ(record.ends().size(), 1U) << script;
  }
}

TEST_P(PipedProgramTest, ALineThatIsTooLongEndsIt) {
  const auto program = start("echo fine; head -c 100000 /dev/zero; sleep 600", {.max_line = 5000});
  EXPECT_TRUE(record_.has_ended());
  EXPECT_EQ(record_.ends(), Lines{"a line is longer than 5000 bytes"});
  EXPECT_EQ(record_.lines(), Lines{"fine"});
}

TEST_P(PipedProgramTest, ALongLineOfStandardErrorDoesNot) {
  const auto program = start("head -c 200000 /dev/zero >&2; echo fine");
  EXPECT_TRUE(record_.has_ended());
  EXPECT_EQ(record_.ends(), Lines{"exited with status 0"});
  ASSERT_EQ(record_.error_lines().size(), 1U);
  EXPECT_EQ(record_.error_lines()[0].size(), 65536U) << "the rest is dropped";
}

TEST_P(PipedProgramTest, RefusesLinesThatItDoesNotRead) {
  const auto program = start("echo up; sleep 600", {.max_queued = 300000});
  EXPECT_TRUE(record_.has_lines(1));
  const std::string line(10000, 'x');
  int taken = 0;
  for (int i = 0; i < 200 && program->write_line(line); ++i) ++taken;
  EXPECT_GE(taken, 25);
  EXPECT_LT(taken, 60) << "the queue and the pipe";
}

TEST_P(PipedProgramTest, CarriesMuchBothWays) {
  const auto program = start("exec cat");
  for (int i = 0; i < 20000; ++i) {
    while (!program->write_line(std::string(100, 'x') + std::to_string(i)))
      std::this_thread::sleep_for(milliseconds(1));
  }
  EXPECT_TRUE(record_.has_lines(20000));
  EXPECT_EQ(record_.lines().back(), std::string(100, 'x') + "19999");
}

TEST_P(PipedProgramTest, TakesLinesFromManyThreadsAndFromItsOwn) {
  std::unique_ptr<PipedProgram> program;
  std::mutex mutex;
  PipedHandlers handlers = record_.handlers();
  handlers.on_error_line = [&](std::string_view) {
    const std::scoped_lock lock(mutex);
    if (program != nullptr) program->write_line("answer");
  };
  {
    const std::scoped_lock lock(mutex);
    program = start_piped_program(shell("echo ask >&2; exec cat", GetParam()), handlers);
  }
  {
    std::vector<std::jthread> writers;
    for (int writer = 0; writer < 4; ++writer) {
      writers.emplace_back([&] {
        for (int i = 0; i < 50; ++i) EXPECT_TRUE(program->write_line("line"));
      });
    }
  }
  EXPECT_TRUE(record_.has_lines(201));
}

TEST_P(PipedProgramTest, StartedAndEndedOftenItLeavesNothing) {
  start("true").reset();
  const std::size_t before = tests::open_descriptors();
  for (int i = 0; i < 15; ++i) start("cat");
  EXPECT_EQ(tests::open_descriptors(), before);
}

// npx starts node, which starts others.
TEST_P(PipedProgramTest, NodeRunsWithItsMemoryMeasuredAsPrivateData) {
  if (!std::filesystem::exists("/usr/bin/node")) GTEST_SKIP() << "node is not installed";
  const tests::fakes::TempDirectory folder;
  Program program = tests::program_of(
      {"/usr/bin/node", "-e",
       "process.stdin.on('data', d => console.log('node ' + d)); console.log(process.env.HOME)"},
      GetParam());
  program.access.home = folder.path() / "home";
  program.limits.memory_bytes = std::size_t{1} << 30;
  program.limits.memory_measure = MemoryMeasure::private_data;
  std::filesystem::permissions(folder.path(), std::filesystem::perms(0755));
  const auto piped = start_piped_program(program, record_.handlers());
  EXPECT_TRUE(piped->write_line("hello"));
  EXPECT_TRUE(record_.has_lines(2)) << (record_.error_lines().empty() ? "" : record_.error_lines()[0]);
}

}  // namespace
}  // namespace parley::orchestration::sandbox
