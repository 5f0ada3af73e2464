// Keeping a server alive, against scripts.
#include "orchestration/mcp/server.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <stdexcept>
#include <thread>

#include "orchestration/mcp/flood_guard.h"
#include "tests/fakes/eventually.h"
#include "tests/orchestration/mcp/scripted_transport.h"

namespace parley::orchestration::mcp {
namespace {

using State = ServerStatus::State;
using Status = CallOutcome::Status;
using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;
using tests::fakes::eventually;

std::string tools_with(const std::string& description) {
  return R"({"tools":[{"name":"a","description":")" + description + R"(","inputSchema":{}}]})";
}

// A modern server whose tools and behaviour a test sets; each start has a script of its own.
struct ServerTest : testing::Test {
  void start(milliseconds first_pause = milliseconds(5)) {
    ServerSettings settings;
    settings.transport = [this] { return begin(); };
    settings.first_pause = first_pause;
    settings.last_pause = 8 * first_pause;
    settings.relist_pause = milliseconds(20);
    settings.on_change = [this] { ++changes; };
    server = make_mcp_server(std::move(settings));
  }

  std::unique_ptr<Transport> begin() {
    if (failures-- > 0) throw std::runtime_error("no thread is left");
    auto script = std::make_shared<Script>();
    script->on_send = [this](Script& peer, const Outgoing& message) { answer(peer, message); };
    const std::lock_guard lock(mutex);
    begun.push_back(Clock::now());
    scripts.push_back(script);
    return script->transport(script);
  }

  void answer(Script& peer, const Outgoing& message) {
    if (on_message && on_message(peer, message)) return;
    if (message.method == "server/discover") {
      peer.answer(message.request,
                  R"({"supportedVersions":["2026-07-28"],"capabilities":{"tools":{"listChanged":true}}})");
    } else if (message.method == "tools/list") {
      ++lists;
      peer.answer(message.request, tools_with("version " + std::to_string(version)));
    } else if (message.method == "tools/call") {
      peer.answer(message.request, R"({"content":[{"type":"text","text":"ok"}]})");
    }
  }

  std::shared_ptr<Script> script() {
    const std::lock_guard lock(mutex);
    return scripts.back();
  }
  bool is_in(State state) {
    return eventually([&] { return server->status().state == state; });
  }
  CallOutcome call(milliseconds limit = milliseconds(5000)) {
    const auto list = server->tools();
    const ToolDefinition* tool = list->find("a");
    const ToolDefinition unknown;
    CallOptions options;
    options.deadline = Clock::now() + limit;
    return server->call(tool == nullptr ? unknown : *tool, {}, options);
  }
  std::string description() {
    const auto list = server->tools();
    return list->tools.empty() ? "" : list->tools[0].description;
  }

  std::mutex mutex;
  std::vector<Clock::time_point> begun;
  std::vector<std::shared_ptr<Script>> scripts;
  std::function<bool(Script&, const Outgoing&)> on_message;  // true: it is dealt with
  std::atomic<int> failures{0};                              // starts that throw
  std::atomic<int> lists{0};
  std::atomic<int> version{1};
  std::atomic<int> changes{0};
  std::unique_ptr<McpServer> server;  // last: its threads use the rest
};

TEST_F(ServerTest, a_change_before_the_first_list_leads_to_a_second) {
  on_message = [this](Script& peer, const Outgoing& message) {
    if (message.method == "tools/list" && lists == 0) {
      peer.say(R"({"method":"notifications/tools/list_changed"})");
      const std::string old_tools = tools_with("version 1");
      version = 2;
      ++lists;
      peer.answer(message.request, old_tools);
      return true;
    }
    return false;
  };
  start();
  EXPECT_TRUE(eventually([&] { return description() == "version 2"; }));
}

TEST_F(ServerTest, what_a_start_throws_is_a_reason_and_it_is_tried_again) {
  failures = 2;
  start(milliseconds(50));
  ASSERT_TRUE(is_in(State::failed));
  EXPECT_EQ(server->status().reason, "Parley could not serve it: no thread is left");
  EXPECT_TRUE(is_in(State::ready));
  EXPECT_EQ(call().status, Status::ok);
}

TEST_F(ServerTest, a_subscription_that_throws_costs_only_itself) {
  on_message = [](Script&, const Outgoing& message) {
    if (message.method == "subscriptions/listen") throw std::runtime_error("no memory");
    return false;
  };
  start();
  ASSERT_TRUE(is_in(State::ready));
  const auto has_note = [&] {
    const auto lines = server->log();
    return std::any_of(lines.begin(), lines.end(), [](const LogLine& line) {
      return line.text == "changes of its tools are not heard any more: no memory";
    });
  };
  EXPECT_TRUE(eventually(has_note));
  EXPECT_EQ(call().status, Status::ok);
}

TEST_F(ServerTest, a_storm_of_changes_is_a_few_lists) {
  start();
  ASSERT_TRUE(is_in(State::ready));
  for (int i = 0; i < 1000; ++i) script()->say(R"({"method":"notifications/tools/list_changed"})");
  version = 7;
  script()->say(R"({"method":"notifications/tools/list_changed"})");
  EXPECT_TRUE(eventually([&] { return description() == "version 7"; }));
  std::this_thread::sleep_for(milliseconds(100));
  EXPECT_LT(lists, 20);
}

TEST_F(ServerTest, a_tool_that_changed_since_it_was_offered_is_not_called) {
  start();
  ASSERT_TRUE(is_in(State::ready));
  const auto offered = server->tools();
  version = 2;
  script()->say(R"({"method":"notifications/tools/list_changed"})");
  ASSERT_TRUE(eventually([&] { return description() == "version 2"; }));
  CallOptions options;
  options.deadline = Clock::now() + milliseconds(5000);
  const CallOutcome outcome = server->call(*offered->find("a"), {}, options);
  EXPECT_EQ(outcome.status, Status::failed);
  EXPECT_NE(outcome.problem.find("has changed"), std::string::npos);
  EXPECT_TRUE(script()->sent_with("tools/call").empty());
  EXPECT_EQ(call().status, Status::ok);
}

TEST_F(ServerTest, the_order_of_the_list_is_no_change) {
  start();
  ASSERT_TRUE(is_in(State::ready));
  const int before = changes;
  const int lists_before = lists;
  script()->say(R"({"method":"notifications/tools/list_changed"})");
  ASSERT_TRUE(eventually([&] { return lists > lists_before; }));
  EXPECT_EQ(changes, before);
}

TEST_F(ServerTest, a_crash_loop_is_visible_and_its_pauses_grow_to_their_limit) {
  on_message = [](Script& peer, const Outgoing&) {
    peer.end("exited with status 1");
    return true;
  };
  start(milliseconds(20));
  ASSERT_TRUE(eventually([&] { return server->status().starts >= 7; }));
  EXPECT_NE(server->status().reason.find("exited with status 1"), std::string::npos);
  const std::lock_guard lock(mutex);
  EXPECT_GE(begun[1] - begun[0], milliseconds(19));
  EXPECT_GE(begun[2] - begun[1], milliseconds(39));
  EXPECT_GE(begun[3] - begun[2], milliseconds(79));
  EXPECT_GE(begun[6] - begun[5], milliseconds(159));
  EXPECT_LT(begun[6] - begun[5], milliseconds(1500));
}

TEST_F(ServerTest, a_call_waits_for_a_restart_and_fails_where_there_is_none) {
  start(milliseconds(100));
  ASSERT_TRUE(is_in(State::ready));
  script()->end("it crashed");
  EXPECT_EQ(call().status, Status::ok);
  EXPECT_EQ(server->status().starts, 2);
  script()->end("it crashed again");
  EXPECT_EQ(call(milliseconds(1)).status, Status::timed_out);
}

TEST_F(ServerTest, a_restarting_server_keeps_its_tools) {
  start(milliseconds(300));
  ASSERT_TRUE(is_in(State::ready));
  script()->end("it crashed");
  ASSERT_TRUE(is_in(State::restarting));
  EXPECT_EQ(server->status().reason, "it crashed");
  EXPECT_TRUE(server->status().next_start.has_value());
  EXPECT_EQ(server->tools()->tools.size(), 1u);
}

TEST_F(ServerTest, a_header_mismatch_makes_it_look_at_the_tools_again) {
  on_message = [this](Script& peer, const Outgoing& message) {
    if (message.method != "tools/call") return false;
    version = 2;
    peer.refuse(message.request, -32020);
    return true;
  };
  start();
  ASSERT_TRUE(is_in(State::ready));
  EXPECT_NE(call().problem.find("has changed"), std::string::npos);
  EXPECT_EQ(description(), "version 2");
}

TEST_F(ServerTest, a_modern_server_is_subscribed_to_and_again_when_it_ends_that) {
  start();
  ASSERT_TRUE(is_in(State::ready));
  ASSERT_TRUE(eventually([&] { return script()->sent_with("subscriptions/listen").size() == 1; }));
  for (const Outgoing& message : script()->sent()) {
    if (message.method == "subscriptions/listen") script()->answer(message.request, "{}");
  }
  EXPECT_TRUE(eventually([&] { return script()->sent_with("subscriptions/listen").size() == 2; }));
  EXPECT_EQ(server->status().starts, 1);
}

TEST_F(ServerTest, a_server_without_tools_has_none) {
  on_message = [](Script& peer, const Outgoing& message) {
    if (message.method == "server/discover") {
      peer.answer(message.request, R"({"supportedVersions":["2026-07-28"],"capabilities":{}})");
    }
    return true;
  };
  start();
  ASSERT_TRUE(is_in(State::ready));
  EXPECT_TRUE(server->tools()->tools.empty());
}

TEST_F(ServerTest, a_list_that_cannot_be_had_is_a_failed_start) {
  on_message = [](Script& peer, const Outgoing& message) {
    if (message.method == "tools/list") peer.refuse(message.request, -32603);
    return message.method == "tools/list";
  };
  start();
  ASSERT_TRUE(is_in(State::failed));
  EXPECT_NE(server->status().reason.find("cannot be listed"), std::string::npos);
}

TEST_F(ServerTest, a_flood_is_a_crash) {
  start();
  ASSERT_TRUE(is_in(State::ready));
  const auto flooding = script();
  // Text counts like messages: this much is a flood at once, however slow the machine is.
  flooding->log(std::string(static_cast<std::size_t>(FloodGuard::kBurst + 1) * 4096, 'x'));
  EXPECT_TRUE(flooding->is_closed() || eventually([&] { return flooding->is_closed(); }));
  EXPECT_TRUE(eventually([&] { return server->status().starts == 2; }));
  EXPECT_LE(server->log().size(), ServerLog::kMaxLines);
}

TEST_F(ServerTest, ending_it_does_not_wait_for_pauses_or_silent_servers) {
  on_message = [](Script&, const Outgoing&) { return true; };
  start(milliseconds(60000));
  ASSERT_TRUE(eventually([&] { return server->status().starts == 1; }));
  const auto begin = Clock::now();
  server.reset();
  EXPECT_LT(Clock::now() - begin, milliseconds(2000));
}

TEST_F(ServerTest, many_restarts_leave_nothing_behind) {
  start(milliseconds(1));
  for (int i = 1; i <= 100; ++i) {
    ASSERT_TRUE(eventually([&] { return server->status().starts >= i; })) << i;
    ASSERT_TRUE(is_in(State::ready)) << i;
    script()->end("again");
    ASSERT_TRUE(eventually([&] { return server->status().starts > i; })) << i;
  }
  const std::lock_guard lock(mutex);
  for (std::size_t i = 0; i + 1 < scripts.size(); ++i) EXPECT_TRUE(scripts[i]->is_closed());
}

}  // namespace
}  // namespace parley::orchestration::mcp
