#include "app/cli/tool_host.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <fstream>
#include <functional>
#include <mutex>
#include <thread>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>

#include "tests/fakes/temp_directory.h"

namespace parley::app::cli {
namespace {

using orchestration::tools::Decision;
using orchestration::turn::ToolServer;

class ToolHostTest : public testing::Test {
 protected:
  void write(const std::string& text) {
    std::ofstream(file_) << text;
    std::filesystem::permissions(file_,
                                 std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
  }
  void start(DefaultTools chosen = DefaultTools::none) {
    const config::Environment environment = [](const std::string&) { return std::optional<std::string>(); };
    ToolHostOptions options;
    options.chosen = chosen;
    options.file = file_;
    options.interval = std::chrono::milliseconds(20);
    options.door = door_;
    options.log = [this](const std::string& line) {
      const std::lock_guard lock(log_mutex_);
      log_.push_back(line);
    };
    host_ = std::make_unique<ToolHost>(
        std::make_unique<ToolBox>(file_, OwnPlaces{.data_folder = folder_.path() / "data"}, environment),
        io_.get_executor(), options);
  }
  bool comes_to(const std::function<bool()>& done) {
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(20);
    while (!done() && std::chrono::steady_clock::now() < deadline) {
      if (io_.stopped()) io_.restart();
      io_.run_one_for(std::chrono::milliseconds(20));
    }
    return done();
  }
  std::vector<std::string> log() {
    const std::lock_guard lock(log_mutex_);
    return log_;
  }
  std::string names() const {
    std::string names;
    for (const auto& tool : host_->snapshot().tools) names += tool.name + " ";
    return names;
  }

  tests::fakes::TempDirectory folder_;
  const std::filesystem::path file_ = folder_.path() / "tools.json";
  boost::asio::io_context io_;
  OwnDoor door_ = OwnDoor::guarded;
  std::mutex log_mutex_;
  std::vector<std::string> log_;
  std::unique_ptr<ToolHost> host_;
};

constexpr const char* kTwoTools = R"({"tools": {
  "calculator": {"builtin": "calculator", "approval": "auto"},
  "clock": {"builtin": "current_time", "approval": "deny"}}})";

TEST_F(ToolHostTest, ShowsTheToolsOfTheFile) {
  write(kTwoTools);
  start();
  EXPECT_TRUE(host_->snapshot().tools.empty());  // nothing was read yet
  ASSERT_TRUE(comes_to([&] { return host_->version() > 0; }));
  const auto shown = host_->snapshot();
  ASSERT_EQ(names(), "calculator clock ");
  EXPECT_EQ(shown.tools[0].policy, Decision::automatic);
  EXPECT_EQ(shown.tools[1].policy, Decision::deny);
  EXPECT_EQ(shown.tools[0].source, "builtin");
  EXPECT_FALSE(shown.tools[0].description.empty());
  EXPECT_GT(shown.tools[0].tokens, 20);
  EXPECT_LT(shown.tools[0].tokens, 500);
  EXPECT_FALSE(shown.tools[0].chosen);
  EXPECT_TRUE(shown.problems.empty());
  EXPECT_TRUE(host_->registry()->tools.find("clock"));
}

TEST_F(ToolHostTest, TellsOfEachChange) {
  write(kTwoTools);
  start();
  std::vector<std::string> told;
  host_->tell_changes([&] { told.push_back(names()); });
  ASSERT_TRUE(comes_to([&] { return !told.empty(); }));
  EXPECT_EQ(told.back(), "calculator clock ");
  write(R"({"tools": {"calculator": {"builtin": "calculator"}}})");
  ASSERT_TRUE(comes_to([&] { return told.back() == "calculator "; }));
  EXPECT_EQ(told.size(), host_->version());
}

TEST_F(ToolHostTest, AFileThatNobodyHasWrittenYetIsNoProblemAndIsReadOnceItIsThere) {
  start();
  EXPECT_EQ(host_->snapshot().file, file_.string());
  ASSERT_TRUE(comes_to([&] { return host_->registry()->starting.empty(); })) << "somebody waits for it";
  io_.run_for(std::chrono::milliseconds(200));
  EXPECT_TRUE(host_->snapshot().problems.empty());
  EXPECT_EQ(host_->snapshot().off, "");
  write(kTwoTools);
  ASSERT_TRUE(comes_to([&] { return names() == "calculator clock "; }));
  std::filesystem::remove(file_);
  ASSERT_TRUE(comes_to([&] { return !host_->snapshot().problems.empty(); }));
  EXPECT_EQ(names(), "calculator clock ") << "the tools of before stay";
}

TEST_F(ToolHostTest, ChoosesAllThatMayRunWhereTheModelIsGoodAtIt) {
  write(kTwoTools);
  start(DefaultTools::all);
  ASSERT_TRUE(comes_to([&] { return host_->version() > 0; }));
  EXPECT_TRUE(host_->snapshot().tools.at(0).chosen);
  EXPECT_FALSE(host_->snapshot().tools.at(1).chosen);
}

TEST_F(ToolHostTest, FollowsTheFileAndKeepsWhatABrokenEditWouldTakeAway) {
  write(kTwoTools);
  start();
  int num_woken = 0;
  auto count = [&]() -> boost::asio::awaitable<void> {
    while (true) {
      co_await host_->changed();
      ++num_woken;
    }
  };
  boost::asio::co_spawn(io_, count, boost::asio::detached);
  ASSERT_TRUE(comes_to([&] { return names() == "calculator clock "; }));
  const auto version = host_->version();
  write(R"({"tools": {"calculator": {"builtin": "calculator"}}})");
  ASSERT_TRUE(comes_to([&] { return names() == "calculator "; }));
  EXPECT_GT(host_->version(), version);
  EXPECT_EQ(host_->snapshot().tools.at(0).policy, Decision::ask);
  write(R"({"tools": {)");
  ASSERT_TRUE(comes_to([&] { return !host_->snapshot().problems.empty(); }));
  EXPECT_EQ(names(), "calculator ");
  EXPECT_NE(host_->snapshot().problems[0].find("tools.json"), std::string::npos);
  write(kTwoTools);
  ASSERT_TRUE(comes_to([&] { return host_->snapshot().problems.empty(); }));
  EXPECT_EQ(names(), "calculator clock ");
  const auto settled = host_->version();
  io_.run_for(std::chrono::milliseconds(200));
  EXPECT_EQ(host_->version(), settled);  // nothing changes, nobody is told
  EXPECT_GE(num_woken, 3);
}

TEST_F(ToolHostTest, LogsWhatIsWrongOnceAndAgainWhenItComesBack) {
  write(R"({"tools": {"bad": {"command": []}, "calculator": {"builtin": "calculator"}}})");
  start();
  ASSERT_TRUE(comes_to([&] { return log().size() == 1; }));
  EXPECT_TRUE(log()[0].starts_with("tools: error: tools.bad.command: expected the program")) << log()[0];
  write(R"({"tools": {"bad": {"command": []}}})");
  ASSERT_TRUE(comes_to([&] { return names().empty() && host_->version() > 1; }));
  EXPECT_EQ(log().size(), 1u) << "it has been told";
  write(kTwoTools);
  ASSERT_TRUE(comes_to([&] { return names() == "calculator clock "; }));
  write(R"({"tools": {"bad": {"command": []}}})");
  EXPECT_TRUE(comes_to([&] { return log().size() == 2; }));
}

TEST_F(ToolHostTest, WarnsOfProgramsThatCanReachAServerWithoutAKey) {
  const char* file = R"({"mcpServers": {"net": {"command": "/nowhere/server", "sandbox": "none"}}})";
  const auto is_warned = [&] {
    const auto lines = log();
    return std::any_of(lines.begin(), lines.end(), [](const std::string& line) {
      return line.find("act as you there") != std::string::npos;
    });
  };
  write(file);
  start();
  ASSERT_TRUE(comes_to([&] { return host_->version() > 0 && !log().empty(); }));
  EXPECT_FALSE(is_warned()) << "the server asks for a key";
  host_.reset();
  door_ = OwnDoor::open;
  start();
  EXPECT_TRUE(comes_to(is_warned));
}

TEST_F(ToolHostTest, CountsTokensAsTheModelDoesOnceItIsThere) {
  write(kTwoTools);
  start();
  ASSERT_TRUE(comes_to([&] { return host_->version() > 0; }));
  EXPECT_FALSE(host_->snapshot().counted);
  EXPECT_GT(host_->snapshot().tools.at(0).tokens, 20);  // guessed
  const auto loop = std::this_thread::get_id();
  std::atomic<bool> counts_elsewhere = true;
  host_->count_with([&](std::string_view text) -> std::size_t {
    if (std::this_thread::get_id() == loop) counts_elsewhere = false;
    return text.find("\"name\":\"calculator\"") != std::string_view::npos ? 7 : 8;
  });
  ASSERT_TRUE(comes_to([&] { return host_->snapshot().counted; }));
  EXPECT_EQ(host_->snapshot().tools.at(0).tokens, 7);
  EXPECT_EQ(host_->snapshot().tools.at(1).tokens, 8);
  write(R"({"tools": {"clock": {"builtin": "current_time"}}})");
  ASSERT_TRUE(comes_to([&] { return names() == "clock "; }));
  EXPECT_TRUE(host_->snapshot().counted);
  EXPECT_EQ(host_->snapshot().tools.at(0).tokens, 8);
  EXPECT_TRUE(counts_elsewhere);
  host_.reset();  // before what counts
}

TEST_F(ToolHostTest, TellsOfWhatIsNotItsOwn) {
  write(kTwoTools);
  start();
  ASSERT_TRUE(comes_to([&] { return host_->version() > 0; }));
  bool woken = false;
  auto wait = [&]() -> boost::asio::awaitable<void> {
    co_await host_->changed();
    woken = true;
  };
  boost::asio::co_spawn(io_, wait, boost::asio::detached);
  io_.restart();
  io_.poll();
  const auto version = host_->version();
  host_->tell();
  EXPECT_EQ(host_->version(), version + 1);
  EXPECT_TRUE(comes_to([&] { return woken; }));
}

TEST_F(ToolHostTest, ShowsServersThatFailAndThoseThatAreOff) {
  write(R"({"mcpServers": {"broken": {"command": "/nowhere/server", "sandbox": "none"},
                           "asleep": {"command": "/nowhere/server", "disabled": true}}})");
  start();
  const auto broken_failed = [&] {
    const auto servers = host_->snapshot().servers;
    return servers.size() == 2 && servers[1].state == ToolServer::State::failed;
  };
  ASSERT_TRUE(comes_to(broken_failed));
  const auto servers = host_->snapshot().servers;
  EXPECT_EQ(servers[0].name, "asleep");
  EXPECT_EQ(servers[0].state, ToolServer::State::off);
  EXPECT_EQ(servers[1].name, "broken");
  EXPECT_TRUE(servers[1].error.ends_with(".")) << servers[1].error;
  EXPECT_EQ(servers[1].tools, 0);
}

TEST_F(ToolHostTest, ShowsNoSecretThatAServerPrints) {
  write(R"({"mcpServers": {"chatty": {"command": "/bin/sh", "args": ["-c", "echo my key: $$API_KEY >&2"],
                                      "env": {"API_KEY": "sesame-42"}, "cwd": "/", "sandbox": "none"}}})");
  start();
  const auto has_printed = [&] {
    const auto servers = host_->snapshot().servers;
    return servers.size() == 1 && !servers[0].log.empty() && servers[0].state == ToolServer::State::failed;
  };
  ASSERT_TRUE(comes_to(has_printed));
  const auto shown = host_->snapshot();
  std::string told = shown.servers[0].error;
  for (const std::string& line : shown.servers[0].log) told += "\n" + line;
  for (const std::string& problem : shown.problems) told += "\n" + problem;
  EXPECT_NE(told.find("my key: [redacted]"), std::string::npos) << told;
  EXPECT_EQ(told.find("sesame-42"), std::string::npos) << told;
}

TEST_F(ToolHostTest, EndsAtOnceAndWithNewsOnTheirWay) {
  write(kTwoTools);
  start();
  const auto begin = std::chrono::steady_clock::now();
  host_.reset();
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(10));
  io_.run_for(std::chrono::milliseconds(50));  // what it had posted finds nobody, and does no harm
}

}  // namespace
}  // namespace parley::app::cli
