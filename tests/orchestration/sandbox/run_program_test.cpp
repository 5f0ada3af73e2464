#include "orchestration/sandbox/run_program.h"

#include <gtest/gtest.h>

#include <fstream>
#include <thread>

#include "tests/fakes/temp_directory.h"
#include "tests/orchestration/sandbox/sandbox_run.h"

namespace parley::orchestration::sandbox {
namespace {

using std::chrono::milliseconds;
using tests::program_of;
using tests::run;
using tests::shell;
using tests::within;
using End = ProgramResult::End;
using Clock = std::chrono::steady_clock;

// What holds with and without the fence.
class RunProgram : public tests::FencedTest, public testing::WithParamInterface<Fence> {
 protected:
  void SetUp() override {
    if (GetParam() == Fence::bubblewrap) FencedTest::SetUp();
  }
  Program script(std::string text) const { return shell(std::move(text), GetParam()); }
  Program words(std::vector<std::string> argv) const { return program_of(std::move(argv), GetParam()); }
};

INSTANTIATE_TEST_SUITE_P(Fences, RunProgram, testing::Values(Fence::bubblewrap, Fence::none),
                         [](const auto& shown) {
                           return shown.param == Fence::none ? "none" : "bubblewrap";
                         });

TEST_P(RunProgram, GivesOutputErrorAndStatus) {
  const ProgramResult result = run(script("echo out; echo err >&2; exit 7"));
  EXPECT_EQ(result.end, End::exited) << result.error;
  EXPECT_EQ(result.code, 7);
  EXPECT_EQ(result.output, "out\n");
  EXPECT_EQ(result.error, "err\n");
  EXPECT_EQ(result.cut_bytes, 0U);
}

TEST_P(RunProgram, TellsTheSignalThatEndedIt) {
  const ProgramResult result = run(script("kill -SEGV $$"));
  EXPECT_EQ(result.end, End::signalled);
  EXPECT_EQ(result.code, SIGSEGV);
}

TEST_P(RunProgram, PassesEachArgumentAsItIs) {
  const ProgramResult result =
      run(words({"printf", "%s|", "a b", "$(id)", "`id`", "; rm -rf /", "*", "", "-n", "\"'\\", "\xff\n"}));
  EXPECT_EQ(result.output, "a b|$(id)|`id`|; rm -rf /|*||-n|\"'\\|\xff\n|");
}

TEST_P(RunProgram, GivesTheEnvironmentAndNothingElse) {
  ::setenv("PARLEY_TEST_SECRET", "leaked", 1);
  Program program = words({"env"});
  program.environment = {{"HOME", "/somewhere"}, {"PATH", "/usr/bin"}, {"A", "x=y\nz"}, {"EMPTY", ""}};
  EXPECT_EQ(run(program).output, "A=x=y\nz\nEMPTY=\nHOME=/somewhere\nPATH=/usr/bin\n");
  ::unsetenv("PARLEY_TEST_SECRET");
}

TEST_P(RunProgram, AddsHomeAndPathWhereTheyAreNotGiven) {
  const ProgramResult result = run(script("cd && pwd && echo $HOME && touch $HOME/x && echo $PATH"));
  EXPECT_NE(result.output.find("\n/usr/local/bin:/usr/bin:/bin\n"), std::string::npos) << result.error;
  EXPECT_EQ(result.code, 0);
}

TEST_P(RunProgram, WritesTheInputAndClosesIt) {
  tests::fakes::TempDirectory folder;
  std::string input;
  for (int i = 0; i < 300000; ++i) input += std::to_string(i) + "\n";
  RunOptions options = within(std::chrono::seconds(20));
  options.input = input;
  options.max_output = 4 << 20;
  EXPECT_EQ(run_program(words({"cat"}), options).output, input);
}

TEST_P(RunProgram, DoesNotMindInputThatIsNotRead) {
  RunOptions options = within(std::chrono::seconds(20));
  options.input = std::string(4 << 20, 'x');
  const ProgramResult result = run_program(script("exec <&-; sleep 0.1; echo done"), options);
  EXPECT_EQ(result.end, End::exited);
  EXPECT_EQ(result.output, "done\n");
}

TEST_P(RunProgram, KeepsHeadAndTailOfLongOutput) {
  RunOptions options = within(std::chrono::seconds(20));
  options.max_output = 100;
  options.max_error = 10;
  const ProgramResult result = run_program(script("seq 100000; seq 100000 >&2"), options);
  EXPECT_TRUE(result.output.starts_with("1\n2\n3\n"));
  EXPECT_TRUE(result.output.ends_with("99999\n100000\n"));
  EXPECT_EQ(result.cut_bytes, 588895U - 100U);
  EXPECT_EQ(result.output.size(), 100U);
  EXPECT_EQ(result.cut_at, 50U);
  EXPECT_EQ(result.error, "99\n100000\n");
  EXPECT_EQ(result.error_cut_bytes, 588895U - 10U);
}

TEST_P(RunProgram, TellsLinesOfStandardErrorWhileItRuns) {
  RunOptions options = within(std::chrono::seconds(20));
  std::vector<std::string> lines;
  std::vector<Clock::time_point> times;
  options.on_error_line = [&](std::string_view line) {
    lines.emplace_back(line);
    times.push_back(Clock::now());
  };
  run_program(script("echo one >&2; sleep 0.4; echo two >&2; printf three >&2"), options);
  EXPECT_EQ(lines, (std::vector<std::string>{"one", "two", "three"}));
  EXPECT_GE(times.at(1) - times.at(0), milliseconds(200));
}

TEST_P(RunProgram, EndsAtTheDeadlineAndKeepsWhatWasSaid) {
  const auto start = Clock::now();
  const ProgramResult result = run_program(script("echo before; sleep 60"), within(milliseconds(400)));
  EXPECT_EQ(result.end, End::timed_out);
  EXPECT_EQ(result.output, "before\n");
  EXPECT_GE(Clock::now() - start, milliseconds(400));
  EXPECT_LT(Clock::now() - start, milliseconds(2400));
}

TEST_P(RunProgram, LetsAProgramThatCatchesTermClearUp) {
  const ProgramResult result =
      run_program(script("trap 'echo cleared up; exit 0' TERM; echo ready; while :; do sleep 0.02; done"),
                  within(milliseconds(600)));
  EXPECT_EQ(result.end, End::timed_out);
  EXPECT_EQ(result.output, "ready\ncleared up\n");
}

TEST_P(RunProgram, EndsAtOnceWhenStopped) {
  std::stop_source source;
  RunOptions options = within(std::chrono::seconds(60));
  options.stop = source.get_token();
  Clock::time_point stopped;
  std::jthread stopper([&] {
    std::this_thread::sleep_for(milliseconds(300));
    stopped = Clock::now();
    source.request_stop();
  });
  const ProgramResult result = run_program(script("sleep 60"), options);
  const auto taken = Clock::now();
  stopper.join();
  EXPECT_EQ(result.end, End::stopped);
  EXPECT_LT(taken - stopped, milliseconds(700)) << "sleep ends by SIGTERM";
}

TEST_P(RunProgram, IsStoppedBeforeItBegins) {
  std::stop_source source;
  source.request_stop();
  RunOptions options = within(std::chrono::seconds(60));
  options.stop = source.get_token();
  EXPECT_EQ(run_program(script("sleep 60"), options).end, End::stopped);
}

TEST_P(RunProgram, TimesOutWhenTheDeadlineHasPassed) {
  EXPECT_EQ(run_program(script("sleep 60"), within(milliseconds(-1))).end, End::timed_out);
}

TEST_P(RunProgram, DoesNotWaitForWhatAProgramLeavesBehind) {
  const auto start = Clock::now();
  const ProgramResult result = run(script("sleep 61 & setsid sleep 62 & echo gone"));
  EXPECT_EQ(result.end, End::exited);
  EXPECT_EQ(result.output, "gone\n");
  EXPECT_LT(Clock::now() - start, std::chrono::seconds(10));
}

TEST_P(RunProgram, SaysWhyAProgramWasNotStarted) {
  const auto problem = [&](std::vector<std::string> argv) {
    const ProgramResult result = run(words(std::move(argv)));
    EXPECT_EQ(result.end, End::not_started);
    return result.error;
  };
  EXPECT_NE(problem({"no-such-program"}).find("no-such-program cannot be executed: No such file"),
            std::string::npos);
  EXPECT_NE(problem({"/usr/share/doc/base-files/README"}).find("Permission denied"), std::string::npos);
  EXPECT_NE(problem({"echo", std::string(200000, 'x')}).find("too long"), std::string::npos);
  EXPECT_NE(problem({}).find("no program"), std::string::npos);
  Program program = words({"true"});
  program.working_directory = "/no/such/folder";
  EXPECT_NE(run(program).error.find("working directory /no/such/folder"), std::string::npos);
}

TEST_P(RunProgram, HoldsTheLimits) {
  Program program =
      script("ulimit -v; ulimit -n; ulimit -t; ulimit -c; umask; dd if=/dev/zero of=big bs=1M count=9");
  program.limits.memory_bytes = std::size_t{300} << 20;
  program.limits.open_files = 77;
  program.limits.file_bytes = std::size_t{1} << 20;
  program.limits.processor_time = std::chrono::seconds(5);
  const ProgramResult result = run(program);
  EXPECT_EQ(result.output, "307200\n77\n5\n0\n0077\n");
  EXPECT_NE(result.code, 0) << "a file of 9 MiB";
}

TEST_P(RunProgram, LimitsMemoryOfEachProcess) {
  Program program = words({"/usr/bin/python3", "-c", "x = bytearray(200 << 20); print(len(x))"});
  program.limits.memory_bytes = std::size_t{150} << 20;
  EXPECT_NE(run(program).error.find("MemoryError"), std::string::npos);
  program.limits.memory_measure = MemoryMeasure::private_data;
  EXPECT_NE(run(program).error.find("MemoryError"), std::string::npos);
  program.limits.memory_bytes = std::size_t{400} << 20;
  EXPECT_EQ(run(program).output, "209715200\n");
}

TEST_P(RunProgram, LimitsProcessorTime) {
  Program program = script("while :; do :; done");
  program.limits.processor_time = std::chrono::seconds(1);
  const ProgramResult result = run_program(program, within(std::chrono::seconds(100)));
  EXPECT_EQ(result.end, End::signalled);
  EXPECT_EQ(result.code, SIGXCPU);
}

TEST_P(RunProgram, LimitsTheNumberOfProcesses) {
  Program program = script("i=0; while [ $i -lt 40 ]; do sleep 5 & i=$((i + 1)); done; echo all");
  program.limits.processes = 20;
  const ProgramResult result = run(program);
  EXPECT_EQ(result.output.find("all"), std::string::npos);
  EXPECT_NE(result.error.find("fork"), std::string::npos) << result.error;
}

TEST_P(RunProgram, RunsManyAtOnce) {
  std::vector<std::jthread> threads;
  for (int thread = 0; thread < 6; ++thread) {
    threads.emplace_back([this, thread] {
      for (int round = 0; round < 5; ++round) {
        const std::string word = std::to_string(thread * 100 + round);
        RunOptions options = within(std::chrono::seconds(30));
        options.input = word;
        const ProgramResult result = run_program(script("cat; exit 5"), options);
        EXPECT_EQ(result.output, word);
        EXPECT_EQ(result.code, 5) << result.error;
      }
    });
  }
}

TEST_P(RunProgram, LeaksNoDescriptor) {
  run(script("true"));
  const std::size_t before = tests::open_descriptors();
  for (int i = 0; i < 5; ++i) {
    run(script("true"));
    run(words({"no-such-program"}));
    run_program(script("sleep 60"), within(milliseconds(1)));
  }
  EXPECT_EQ(tests::open_descriptors(), before);
}

TEST_P(RunProgram, SurvivesTheLackOfDescriptors) {
  std::vector<int> taken;
  while (taken.size() < 100000) {
    const int number = ::dup(0);
    if (number < 0) break;
    taken.push_back(number);
  }
  const ProgramResult result = run(script("echo x"));
  for (const int number : taken) ::close(number);
  EXPECT_EQ(result.end, End::not_started);
  EXPECT_NE(result.error.find("Too many open files"), std::string::npos) << result.error;
  EXPECT_EQ(run(script("echo x")).output, "x\n");
}

TEST_P(RunProgram, EndlessOutputCostsNoMemory) {
  const auto resident = [] {
    std::ifstream file("/proc/self/statm");
    std::size_t total = 0;
    std::size_t pages = 0;
    file >> total >> pages;
    return pages * 4096;
  };
  run(script("yes | head -c 10000000"));  // whatever is allocated once
  const std::size_t before = resident();
  RunOptions options = within(milliseconds(500));
  options.on_error_line = [](std::string_view) {};
  const ProgramResult result = run_program(script("yes & exec cat /dev/zero >&2"), options);
  EXPECT_EQ(result.end, End::timed_out);
  EXPECT_GT(result.cut_bytes, std::size_t{1} << 20);
  EXPECT_LT(resident(), before + (std::size_t{4} << 20));
}

}  // namespace
}  // namespace parley::orchestration::sandbox
