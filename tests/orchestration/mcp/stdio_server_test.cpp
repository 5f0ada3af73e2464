// The client against the Python servers of this folder, over standard streams.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <thread>
#include <vector>

#include "tests/orchestration/mcp/test_servers.h"

namespace parley::orchestration::mcp {
namespace {

using State = ServerStatus::State;
using Status = CallOutcome::Status;
using std::chrono::milliseconds;
using tests::fakes::eventually;

struct StdioServerTest : testing::TestWithParam<const char*> {
  bool is_modern() const { return std::string(GetParam()) == "modern"; }

  TestBench bench;
};

TEST_P(StdioServerTest, shakes_hands_and_lists_all_pages) {
  const auto server = bench.stdio(GetParam());
  ASSERT_TRUE(is_ready(*server)) << server->status().reason << log_text(*server);
  const ServerStatus status = server->status();
  EXPECT_EQ(status.facts->dialect.era, is_modern() ? Era::modern : Era::legacy);
  EXPECT_EQ(status.facts->dialect.version, is_modern() ? "2026-07-28" : "2025-06-18");
  EXPECT_EQ(status.facts->name, is_modern() ? "modern-test" : "legacy-test");
  EXPECT_EQ(server->tools()->tools.size(), 9u);
  EXPECT_NE(server->tools()->find("echo"), nullptr);
  EXPECT_TRUE(eventually([&] { return log_text(*server).find("started") != std::string::npos; }));
}

TEST_P(StdioServerTest, calls_give_text_pictures_structure_and_errors) {
  const auto server = bench.stdio(GetParam());
  ASSERT_TRUE(is_ready(*server));
  EXPECT_EQ(first_text(call(*server, "echo", {{"message", "Grüße \"x\"\n"}})), "Echo: Grüße \"x\"\n");
  const CallOutcome picture = call(*server, "picture");
  ASSERT_EQ(picture.content.size(), 4u);
  EXPECT_TRUE(picture.content[0].bytes.starts_with("\x89PNG"));
  EXPECT_EQ(picture.content[3].text, "inside b");
  const CallOutcome weather = call(*server, "weather", {{"city", "Köln"}});
  EXPECT_EQ(weather.structured->as_object().at("celsius"), 21.5);
  const CallOutcome failed = call(*server, "fail");
  EXPECT_EQ(failed.status, Status::tool_error);
  EXPECT_EQ(first_text(failed), "the disk is full");
}

TEST_P(StdioServerTest, progress_keeps_a_call_alive_beyond_its_time_out) {
  const auto server = bench.stdio(GetParam());
  ASSERT_TRUE(is_ready(*server));
  std::vector<double> seen;
  CallOptions how = options();
  how.timeout = milliseconds(900);
  how.on_progress = [&](const Progress& progress) { seen.push_back(progress.progress.value_or(-1)); };
  const CallOutcome outcome = call(*server, "count", {{"steps", 8}, {"pause", 0.2}}, how);
  EXPECT_EQ(first_text(outcome), "counted to 8");
  ASSERT_GE(seen.size(), 6u);
  EXPECT_TRUE(std::is_sorted(seen.begin(), seen.end()));
}

TEST_P(StdioServerTest, the_deadline_holds_whatever_the_progress_and_cancels) {
  const auto server = bench.stdio(GetParam());
  ASSERT_TRUE(is_ready(*server));
  const CallOutcome outcome =
      call(*server, "count", {{"steps", 1000}, {"pause", 0.02}}, options(milliseconds(300)));
  EXPECT_EQ(outcome.status, Status::timed_out);
  EXPECT_TRUE(eventually([&] { return log_text(*server).find("cancelled") != std::string::npos; }));
  EXPECT_EQ(first_text(call(*server, "echo", {{"message", "still here"}})), "Echo: still here");
}

TEST_P(StdioServerTest, silence_is_a_time_out_and_stop_a_cancellation) {
  const auto server = bench.stdio(GetParam());
  ASSERT_TRUE(is_ready(*server));
  CallOptions how = options();
  how.timeout = milliseconds(100);
  EXPECT_EQ(call(*server, "silent", {}, how).status, Status::timed_out);
  std::stop_source stop;
  how = options();
  how.stop = stop.get_token();
  const std::jthread stopper([&] {
    std::this_thread::sleep_for(milliseconds(50));
    stop.request_stop();
  });
  EXPECT_EQ(call(*server, "silent", {}, how).status, Status::cancelled);
}

TEST_P(StdioServerTest, a_wish_for_input_is_refused_clearly) {
  const auto server = bench.stdio(GetParam());
  ASSERT_TRUE(is_ready(*server));
  const CallOutcome outcome = call(*server, "ask");
  if (is_modern()) {
    EXPECT_EQ(outcome.status, Status::failed);
    EXPECT_NE(outcome.problem.find("elicitation/create"), std::string::npos);
  } else {
    EXPECT_NE(first_text(outcome).find("-32601"), std::string::npos) << first_text(outcome);
  }
}

TEST_P(StdioServerTest, a_changed_list_is_fetched_anew) {
  const auto server = bench.stdio(GetParam());
  ASSERT_TRUE(is_ready(*server));
  const auto before = server->tools();
  // A modern server tells only those whose subscription has arrived.
  ASSERT_TRUE(eventually([&] {
    call(*server, "grow");
    return server->tools()->tools.size() > before->tools.size();
  }));
  EXPECT_EQ(before->tools.size(), 9u);
  EXPECT_GE(bench.changes, 2);
}

TEST_P(StdioServerTest, a_crash_fails_the_call_and_the_next_one_waits_for_the_restart) {
  const auto server = bench.stdio(GetParam());
  ASSERT_TRUE(is_ready(*server));
  const CallOutcome crashed = call(*server, "die");
  EXPECT_EQ(crashed.status, Status::failed);
  EXPECT_EQ(crashed.problem, "it ended before it answered (exited with status 3)");
  EXPECT_EQ(first_text(call(*server, "echo", {{"message", "again"}})), "Echo: again");
  EXPECT_EQ(server->status().starts, 2);
  EXPECT_NE(log_text(*server).find("dying now"), std::string::npos);
}

std::string era_of(const testing::TestParamInfo<const char*>& tested) { return tested.param; }

INSTANTIATE_TEST_SUITE_P(Eras, StdioServerTest, testing::Values("modern", "legacy"), era_of);

TEST(StdioServer, legacy_servers_that_ignore_the_probe_or_die_of_it_come_up) {
  for (const char* era : {"silent-legacy", "dies-when-probed"}) {
    TestBench bench;
    const auto server = bench.stdio(era);
    ASSERT_TRUE(is_ready(*server)) << era << server->status().reason << log_text(*server);
    EXPECT_EQ(server->status().facts->dialect.era, Era::legacy);
    EXPECT_EQ(first_text(call(*server, "echo", {{"message", "x"}})), "Echo: x");
  }
}

TEST(StdioServer, a_program_that_is_not_there_is_a_visible_failure_that_goes_on_trying) {
  TestBench bench;
  const auto server = bench.start(bench.program({"/usr/bin/no-such-server"}, {}));
  ASSERT_TRUE(eventually([&] { return server->status().state == State::failed; }, std::chrono::seconds(20)));
  EXPECT_NE(server->status().reason.find("no-such-server"), std::string::npos) << server->status().reason;
  EXPECT_TRUE(eventually([&] { return server->status().starts >= 3; }, std::chrono::seconds(20)));
  ToolDefinition tool;
  tool.name = "echo";
  const CallOutcome outcome = server->call(tool, {}, options());
  EXPECT_EQ(outcome.status, Status::failed);
  EXPECT_NE(outcome.problem.find("it is not running"), std::string::npos) << outcome.problem;
}

TEST(StdioServer, many_calls_at_once_get_their_own_answers) {
  TestBench bench;
  const auto server = bench.stdio("modern");
  ASSERT_TRUE(is_ready(*server));
  std::atomic<int> right{0};
  std::vector<std::jthread> threads;
  for (int thread = 0; thread < 8; ++thread) {
    threads.emplace_back([&, thread] {
      for (int i = 0; i < 25; ++i) {
        const std::string word = std::to_string(thread) + "/" + std::to_string(i);
        if (first_text(call(*server, "echo", {{"message", word}})) == "Echo: " + word) ++right;
      }
    });
  }
  threads.clear();
  EXPECT_EQ(right, 200);
}

// As npm installs programs. The folder of the link is bound, and the package that it leads to.
TEST(StdioCommand, may_be_a_link_into_a_package) {
  if (!sandbox::fence_problem().empty()) GTEST_SKIP() << "NOT TESTED: " << sandbox::fence_problem();
  namespace fs = std::filesystem;
  const tests::fakes::TempDirectory directory;
  const fs::path modules = fs::canonical(directory.path()) / "node_modules";
  fs::create_directories(modules / "server/dist");
  fs::create_directories(modules / ".bin");
  for (const char* file : {"stdio_server.py", "mcp_messages.py"}) {
    fs::copy_file(fs::path(PARLEY_SOURCE_DIR "/tests/orchestration/mcp/servers") / file,
                  modules / "server/dist" / file);
  }
  fs::permissions(modules / "server/dist/stdio_server.py", fs::perms(0755));
  fs::create_symlink("../server/dist/stdio_server.py", modules / ".bin/server");
  TestBench bench;
  const fs::path link = modules / ".bin/server";
  for (const std::vector<fs::path>& readable : {std::vector<fs::path>{}, {link}, {modules}}) {
    const auto server = bench.start(bench.program({link.string(), "modern"}, readable));
    EXPECT_TRUE(is_ready(*server)) << server->status().reason << log_text(*server);
    EXPECT_EQ(first_text(call(*server, "echo", {{"message", "hi"}})), "Echo: hi");
  }
}

}  // namespace
}  // namespace parley::orchestration::mcp
