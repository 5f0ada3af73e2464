// Twelve hostile programs, each many times: 20, or PARLEY_HOSTILE_RUNS (scripts/hostile: 200, with a table of
// what is recorded here). All return by the time-out and 2 seconds, no process and no descriptor is left,
// nothing outside changes.

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <atomic>
#include <cstdlib>
#include <fstream>
#include <random>
#include <stop_token>
#include <thread>

#include "tests/fakes/eventually.h"
#include "tests/fakes/temp_directory.h"
#include "tests/orchestration/sandbox/listeners.h"
#include "tests/orchestration/sandbox/sandbox_run.h"

namespace parley::orchestration::sandbox {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;
using tests::End;

constexpr std::chrono::milliseconds kTimeOut{300};
constexpr std::chrono::milliseconds kAfterwards{2000};
constexpr int kThreads = 4;

struct Hostile {
  const char* name;
  End end;
  int code;
};

void PrintTo(const Hostile& hostile, std::ostream* out) { *out << hostile.name; }

constexpr Hostile kHostile[] = {{"fork_bomb", End::timed_out, 0},
                                {"leaves_a_daemon", End::exited, 0},
                                {"ignores_term", End::timed_out, 0},
                                {"never_stops_writing", End::timed_out, 0},
                                {"closes_its_output", End::timed_out, 0},
                                {"fills_the_disk", End::exited, 0},
                                {"reads_passwords", End::exited, 0},
                                {"writes_home", End::exited, 0},
                                {"opens_sockets", End::exited, 0},
                                {"writes_one_line", End::exited, 0},
                                {"dies_of_a_signal", End::signalled, SIGSEGV},
                                {"sleeps", End::timed_out, 0}};

int runs_wanted(int usual) {
  const char* wanted = std::getenv("PARLEY_HOSTILE_RUNS");
  return wanted != nullptr ? std::atoi(wanted) : usual;
}

std::string unique_marker() {
  std::random_device random;
  return "parley-marker-" + std::to_string(random()) + std::to_string(random());
}

class HostileProgram : public tests::FencedTest, public testing::WithParamInterface<Hostile> {
 protected:
  HostileProgram() : listeners_(root_.path() / "socket") {
    ::chmod(root_.path().c_str(), 0777);
    fs::create_directory(neighbour());
    ::chmod(neighbour().c_str(), 0777);
    std::ofstream(neighbour() / "kept") << "kept";
  }

  fs::path neighbour() const { return root_.path() / "neighbour"; }

  Program program(Fence fence) const {
    Program program = tests::program_of({tests::beside("hostile"), GetParam().name}, fence);
    const std::string name = GetParam().name;
    std::vector<std::string> more;
    if (name == "fills_the_disk") more = {".", "/tmp", "/dev/shm", "/", "/dev", "/usr"};
    if (name == "writes_home") more = {"/root", "/home", "/etc", "/usr", "/var", neighbour().string()};
    if (name == "opens_sockets") more = {listeners_.path(), listeners_.abstract(), listeners_.port()};
    program.argv.insert(program.argv.end(), more.begin(), more.end());
    program.environment["MARKER"] = marker_;
    program.limits.temporary_bytes = std::size_t{4} << 20;
    return program;
  }

  void run_often(const Program& program, int runs) {
    std::atomic<int> left = runs;
    std::vector<std::jthread> threads;
    for (int i = 0; i < kThreads; ++i) {
      threads.emplace_back([&] {
        while (left.fetch_sub(1) > 0) run_once(program);
      });
    }
    threads.clear();
    RecordProperty("runs", runs);
    RecordProperty("slowest_ms", slowest_ms_.load());
    RecordProperty("allowed_ms", static_cast<int>((time_out() + kAfterwards).count()));
  }

  static bool ends_by_itself() { return GetParam().end != End::timed_out; }
  static std::chrono::milliseconds time_out() {
    return ends_by_itself() ? std::chrono::milliseconds(15000) : kTimeOut;
  }

  void run_once(const Program& program) {
    const auto start = Clock::now();
    const ProgramResult result = run_program(program, tests::within(time_out()));
    const auto took = Clock::now() - start;
    EXPECT_LT(took, time_out() + kAfterwards);
    note(static_cast<int>(std::chrono::duration_cast<std::chrono::milliseconds>(took).count()));
    EXPECT_EQ(result.end, GetParam().end) << result.error;
    if (ends_by_itself()) {
      EXPECT_EQ(result.code, GetParam().code) << result.error;
    }
    for (const char* word : {"READ", "WROTE", "RENAMED", "REMOVED", "CONNECTED"}) {
      EXPECT_EQ(result.output.find(word), std::string::npos) << result.output;
    }
  }

  void note(int took_ms) {
    int slowest = slowest_ms_;
    while (took_ms > slowest && !slowest_ms_.compare_exchange_weak(slowest, took_ms)) {
    }
  }

  void nothing_is_left(std::size_t descriptors_before) const {
    // Killed they are when the calls return; on a machine with far more to do than processors they may still
    // be waiting for their turn to end.
    const auto all_gone = [&] { return tests::processes_with(marker_).empty(); };
    EXPECT_TRUE(tests::fakes::eventually(all_gone)) << tests::processes_with(marker_).size() << " left";
    EXPECT_EQ(tests::open_descriptors(), descriptors_before);
    EXPECT_EQ(tests::content_of(neighbour() / "kept"), "kept");
    EXPECT_EQ(std::distance(fs::directory_iterator(neighbour()), {}), 1);
    EXPECT_EQ(std::distance(fs::directory_iterator(root_.path()), {}), 2);
  }

  tests::fakes::TempDirectory root_;
  tests::Listeners listeners_;
  std::string marker_ = unique_marker();
  std::atomic<int> slowest_ms_ = 0;
};

INSTANTIATE_TEST_SUITE_P(All, HostileProgram, testing::ValuesIn(kHostile),
                         [](const auto& shown) { return std::string(shown.param.name); });

TEST_P(HostileProgram, IsHeldByTheFence) {
  const std::size_t before = tests::open_descriptors();
  run_often(program(Fence::bubblewrap), runs_wanted(20));
  nothing_is_left(before);
}

// Files, sockets and the number of processes of the same user are not fenced then; ends and output are.
TEST_P(HostileProgram, IsEndedWithoutAFenceToo) {
  const std::string name = GetParam().name;
  if (name == "fills_the_disk" || name == "writes_home" || name == "opens_sockets") return;
  const std::size_t before = tests::open_descriptors();
  run_often(program(Fence::none), runs_wanted(20) / 5);
  nothing_is_left(before);
}

// So that what the others do not find is not there.
TEST(ProcessesWith, FindsWhatRuns) {
  for (const Fence fence : {Fence::bubblewrap, Fence::none}) {
    if (fence == Fence::bubblewrap && !fence_problem().empty()) continue;
    Program program = tests::shell("echo up >&2; sleep 20", fence);
    program.environment["MARKER"] = unique_marker();
    std::size_t found = 0;
    std::stop_source seen;
    RunOptions options = tests::within(std::chrono::seconds(20));
    options.stop = seen.get_token();
    options.on_error_line = [&](std::string_view) {
      found = tests::processes_with(program.environment["MARKER"]).size();
      seen.request_stop();
    };
    run_program(program, options);
    EXPECT_GE(found, 1U);
    EXPECT_EQ(tests::processes_with(program.environment["MARKER"]).size(), 0U);
  }
}

}  // namespace
}  // namespace parley::orchestration::sandbox
