// The client against the Python server of this folder, over HTTP.
#include <gtest/gtest.h>

#include <algorithm>
#include <thread>

#include "tests/orchestration/mcp/test_servers.h"

namespace parley::orchestration::mcp {
namespace {

using State = ServerStatus::State;
using Status = CallOutcome::Status;
using std::chrono::milliseconds;
using tests::fakes::eventually;

const std::vector<fetch::Header> kKey = {{"Authorization", "Bearer secret"}};

struct HttpServerTest : testing::TestWithParam<const char*> {
  bool is_modern() const { return std::string(GetParam()) == "modern"; }

  TestBench bench;
  HttpServer peer{bench, GetParam()};
};

TEST_P(HttpServerTest, shakes_hands_lists_and_calls) {
  const auto server = bench.http(peer.url(), kKey);
  ASSERT_TRUE(is_ready(*server)) << server->status().reason << log_text(*server);
  EXPECT_EQ(server->status().facts->dialect.version, is_modern() ? "2026-07-28" : "2025-11-25");
  EXPECT_EQ(server->tools()->tools.size(), 9u);
  EXPECT_EQ(first_text(call(*server, "echo", {{"message", "Grüße"}})), "Echo: Grüße");
  EXPECT_EQ(call(*server, "fail").status, Status::tool_error);
  EXPECT_EQ(call(*server, "die").problem, "no such tool");
}

// The modern server compares each header with the body.
TEST_P(HttpServerTest, arguments_that_are_wanted_as_headers_are_sent_as_such) {
  const auto server = bench.http(peer.url(), kKey);
  ASSERT_TRUE(is_ready(*server));
  for (const char* city : {"Berlin", "Köln", " padded ", "a\r\nX-Evil: 1", "=?base64?x?=", ""}) {
    const CallOutcome outcome = call(*server, "weather", {{"city", city}, {"days", -3}});
    EXPECT_EQ(outcome.status, Status::ok) << city << outcome.problem;
  }
  EXPECT_EQ(call(*server, "weather").status, Status::ok);
}

TEST_P(HttpServerTest, progress_arrives_while_the_call_runs) {
  const auto server = bench.http(peer.url(), kKey);
  ASSERT_TRUE(is_ready(*server));
  int seen = 0;
  CallOptions how = options();
  how.timeout = milliseconds(1500);
  how.on_progress = [&](const Progress&) { ++seen; };
  EXPECT_EQ(first_text(call(*server, "count", {{"steps", 8}, {"pause", 0.25}}, how)), "counted to 8");
  EXPECT_GE(seen, 6);
}

TEST_P(HttpServerTest, a_call_given_up_is_cancelled_as_its_era_does_it) {
  const auto server = bench.http(peer.url(), kKey);
  ASSERT_TRUE(is_ready(*server));
  const CallOutcome outcome =
      call(*server, "count", {{"steps", 1000}, {"pause", 0.02}}, options(milliseconds(400)));
  EXPECT_EQ(outcome.status, Status::timed_out);
  EXPECT_TRUE(peer.says(is_modern() ? "disconnected" : "cancelled"));
  EXPECT_EQ(first_text(call(*server, "echo", {{"message", "x"}})), "Echo: x");
}

TEST_P(HttpServerTest, a_changed_list_is_fetched_anew) {
  if (std::string(GetParam()) == "stateless-legacy") GTEST_SKIP() << "it has no way to tell";
  const auto server = bench.http(peer.url(), kKey);
  ASSERT_TRUE(is_ready(*server));
  ASSERT_TRUE(eventually([&] {
    call(*server, "grow");
    return server->tools()->tools.size() > 9;
  }));
}

TEST_P(HttpServerTest, a_stream_that_breaks_off_is_resumed_by_legacy_servers) {
  if (is_modern()) GTEST_SKIP() << "there is no such thing in the modern revision";
  if (std::string(GetParam()) == "stateless-legacy") GTEST_SKIP() << "it has no streams of its own";
  const auto server = bench.http(peer.url(), kKey);
  ASSERT_TRUE(is_ready(*server));
  EXPECT_EQ(first_text(call(*server, "silent")), "resumed");
}

TEST_P(HttpServerTest, a_session_is_ended_by_who_began_it) {
  {
    const auto server = bench.http(peer.url(), kKey);
    ASSERT_TRUE(is_ready(*server));
  }
  if (std::string(GetParam()) == "legacy") {
    EXPECT_TRUE(peer.says("session-ended"));
  }
}

TEST_P(HttpServerTest, a_wrong_key_is_a_clear_failure) {
  const auto server = bench.http(peer.url(), {{"Authorization", "Bearer wrong"}});
  ASSERT_TRUE(eventually([&] { return server->status().state == State::failed; }, std::chrono::seconds(20)));
  EXPECT_NE(server->status().reason.find("401"), std::string::npos) << server->status().reason;
}

TEST_P(HttpServerTest, a_server_that_goes_away_is_seen_at_the_next_call) {
  const auto server = bench.http(peer.url(), kKey);
  ASSERT_TRUE(is_ready(*server));
  peer.end();
  EXPECT_NE(call(*server, "echo", {{"message", "x"}}).status, Status::ok);
  EXPECT_TRUE(eventually([&] { return server->status().state == State::failed; }, std::chrono::seconds(20)));
  EXPECT_FALSE(server->status().reason.empty());
}

std::string name_of(const testing::TestParamInfo<const char*>& tested) {
  std::string name = tested.param;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(Eras, HttpServerTest, testing::Values("modern", "legacy", "stateless-legacy"),
                         name_of);

TEST(HttpServer, many_calls_at_once_get_their_own_answers) {
  TestBench bench;
  const HttpServer peer(bench, "modern");
  const auto server = bench.http(peer.url(), kKey);
  ASSERT_TRUE(is_ready(*server));
  std::atomic<int> right{0};
  std::vector<std::jthread> threads;
  for (int thread = 0; thread < 8; ++thread) {
    threads.emplace_back([&, thread] {
      for (int i = 0; i < 5; ++i) {
        const std::string word = std::to_string(thread) + "/" + std::to_string(i);
        if (first_text(call(*server, "echo", {{"message", word}})) == "Echo: " + word) ++right;
      }
    });
  }
  threads.clear();
  EXPECT_EQ(right, 40);
}

}  // namespace
}  // namespace parley::orchestration::mcp
