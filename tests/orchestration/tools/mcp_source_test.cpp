#include "orchestration/tools/mcp_source.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "orchestration/sandbox/run_program.h"
#include "tests/fakes/eventually.h"
#include "tests/fakes/temp_directory.h"

namespace parley::orchestration::tools {
namespace {

using inference::json::JsonObject;

// A server that has the tools a test gives it.
class ListedServer final : public mcp::McpServer {
 public:
  ListedServer(std::function<void()> on_change, int& alive)
      : on_change_(std::move(on_change)), alive_(alive) {
    ++alive_;
  }
  ~ListedServer() override { --alive_; }
  mcp::ServerStatus status() const override { return status_now; }
  std::shared_ptr<const mcp::ToolList> tools() override { return list_; }
  std::vector<mcp::LogLine> log() const override { return log_lines; }
  mcp::CallOutcome call(const mcp::ToolDefinition&, const JsonObject&, const mcp::CallOptions&) override {
    if (on_call) on_call();
    mcp::CallOutcome outcome;
    outcome.status = mcp::CallOutcome::Status::ok;
    return outcome;
  }

  void set_tools(const std::vector<std::string>& names) {
    mcp::ToolList list;
    for (const std::string& name : names) {
      const JsonObject value = {{"name", name}, {"inputSchema", JsonObject()}};
      list.tools.push_back(std::get<mcp::ToolDefinition>(mcp::read_tool_definition(value)));
    }
    list_ = std::make_shared<const mcp::ToolList>(std::move(list));
    on_change_();
  }

  mcp::ServerStatus status_now;
  std::vector<mcp::LogLine> log_lines;
  std::function<void()> on_call;

 private:
  const std::function<void()> on_change_;
  int& alive_;
  std::shared_ptr<const mcp::ToolList> list_ = std::make_shared<mcp::ToolList>();
};

McpServerEntry server_entry(const std::string& name, const std::string& url) {
  McpServerEntry entry;
  entry.name = name;
  entry.source = "mcp:" + name;
  entry.transport = McpHttp{.url = url, .headers = {}};
  return entry;
}

struct McpSourceTest : testing::Test {
  McpServerMaker maker() {
    return [this](const McpServerEntry&, std::function<void()> on_change) {
      made.push_back(std::make_shared<ListedServer>(std::move(on_change), alive));
      return made.back();
    };
  }
  std::vector<std::string> names(const ToolOffer& offer) {
    std::vector<std::string> found;
    for (const ToolPointer& tool : offer.tools) found.push_back(tool->spec().name);
    return found;
  }

  int alive = 0;
  std::vector<std::shared_ptr<ListedServer>> made;
  McpSource source{maker()};
  ToolsFile file;
};

using Names = std::vector<std::string>;

TEST_F(McpSourceTest, offers_the_tools_of_each_server_under_its_name) {
  file.mcp_servers = {server_entry("a", "http://a/"), server_entry("b", "http://b/")};
  source.configure(file);
  made[0]->set_tools({"x", "y.z"});
  made[1]->set_tools({"x"});
  EXPECT_EQ(names(source.offer()), (Names{"a_x", "a_y_z", "b_x"}));
}

TEST_F(McpSourceTest, includes_and_excludes_go_by_the_servers_own_names) {
  file.mcp_servers = {server_entry("a", "http://a/")};
  file.mcp_servers[0].include = {"read_*", "list"};
  file.mcp_servers[0].exclude = {"*_secret"};
  source.configure(file);
  made[0]->set_tools({"list", "read_file", "read_secret", "write_file"});
  EXPECT_EQ(names(source.offer()), (Names{"a_list", "a_read_file"}));
}

TEST_F(McpSourceTest, a_change_is_another_version_and_none_is_the_same) {
  file.mcp_servers = {server_entry("a", "http://a/")};
  source.configure(file);
  const auto first = source.offer().version;
  EXPECT_NE(first, 0u);
  EXPECT_EQ(source.offer().version, first);
  made[0]->set_tools({"x"});
  EXPECT_NE(source.offer().version, first);
}

TEST_F(McpSourceTest, keeps_the_servers_that_the_file_says_the_same_of) {
  file.mcp_servers = {server_entry("a", "http://a/"), server_entry("b", "http://b/"),
                      server_entry("c", "http://c/")};
  source.configure(file);
  file.mcp_servers[0].include = {"x"};
  file.mcp_servers[0].timeout = std::chrono::milliseconds(5);
  file.mcp_servers[1] = server_entry("b", "http://elsewhere/");
  file.mcp_servers[2].disabled = true;
  source.configure(file);
  EXPECT_EQ(made.size(), 4u);
  EXPECT_EQ(source.servers().size(), 2u);
  EXPECT_EQ(source.servers()[0].server, made[0]);
  EXPECT_EQ(source.servers()[1].server, made[3]);
  made.clear();
  EXPECT_EQ(alive, 2);
}

// Editors put a new file in the place of the old one, and the covering stays with that.
TEST_F(McpSourceTest, a_program_that_could_see_a_file_put_in_place_of_a_hidden_one_is_started_anew) {
  const tests::fakes::TempDirectory folder;
  const auto write = [&](const std::string& name) { std::ofstream(folder.path() / name) << name; };
  write("tools.json");
  Launch launch;
  launch.argv = {"server"};
  launch.access.hidden = {folder.path() / "tools.json"};
  McpServerEntry apart = server_entry("apart", "");
  apart.transport = launch;
  launch.working_directory = folder.path();
  McpServerEntry beside = server_entry("beside", "");
  beside.transport = launch;
  file.mcp_servers = {apart, beside};
  source.configure(file);
  source.configure(file);
  ASSERT_EQ(made.size(), 2u);
  write("new.json");
  std::filesystem::rename(folder.path() / "new.json", folder.path() / "tools.json");
  source.configure(file);
  ASSERT_EQ(made.size(), 3u);
  EXPECT_EQ(source.servers()[0].server, made[0]);
  EXPECT_EQ(source.servers()[1].server, made[2]);
}

TEST_F(McpSourceTest, a_call_that_runs_keeps_its_server) {
  file.mcp_servers = {server_entry("a", "http://a/")};
  source.configure(file);
  made[0]->set_tools({"x"});
  const ToolPointer tool = source.offer().tools.at(0);
  int alive_in_call = 0;
  made[0]->on_call = [&] {
    source.configure({});
    made.clear();
    alive_in_call = alive;
  };
  EXPECT_EQ(tool->run({}, {}).status, ToolResult::Status::ok);
  EXPECT_EQ(alive_in_call, 1);
  EXPECT_EQ(alive, 0);
}

// Turns, and the plans of calls that wait for people, hold tools and drop them on the I/O thread.
TEST_F(McpSourceTest, a_tool_alone_keeps_no_server_and_says_that_it_is_gone) {
  file.mcp_servers = {server_entry("a", "http://a/")};
  source.configure(file);
  made[0]->set_tools({"x"});
  const ToolPointer tool = source.offer().tools.at(0);
  source.configure({});
  made.clear();
  EXPECT_EQ(alive, 0);
  const ToolResult result = tool->run({}, {});
  EXPECT_EQ(result.status, ToolResult::Status::error);
  EXPECT_EQ(result.text, "The server a is not in the tools file any more, or is another now.");
}

TEST_F(McpSourceTest, says_which_server_is_down_and_why) {
  file.mcp_servers = {server_entry("a", "http://a/"), server_entry("b", "http://b/")};
  source.configure(file);
  made[0]->status_now.state = mcp::ServerStatus::State::ready;
  made[1]->status_now.state = mcp::ServerStatus::State::failed;
  made[1]->status_now.reason = "connection refused";
  const ToolOffer offer = source.offer();
  ASSERT_EQ(offer.issues.size(), 1u);
  EXPECT_EQ(offer.issues[0].place, "mcpServers.b");
  EXPECT_NE(offer.issues[0].message.find("connection refused"), std::string::npos);
}

TEST_F(McpSourceTest, what_a_server_says_of_itself_is_shown_without_its_secrets) {
  file.mcp_servers = {server_entry("a", "http://a/")};
  file.secrets = {"hunter2-hunter2"};
  source.configure(file);
  made[0]->status_now.state = mcp::ServerStatus::State::failed;
  made[0]->status_now.reason = "hunter2-hunter2 was refused";
  for (const char* text : {"old", "key hunter2-hunter2", "new"}) {
    made[0]->log_lines.push_back({.time = {}, .origin = mcp::LogLine::Origin::error_stream, .text = text});
  }
  const McpSource::NamedServer shown = source.servers().at(0);
  EXPECT_EQ(shown.shown_status().reason, "[redacted] was refused");
  EXPECT_EQ(shown.newest_log(2), (Names{"key [redacted]", "new"}));
  EXPECT_EQ(shown.newest_log(9).size(), 3u);
}

TEST_F(McpSourceTest, a_line_that_was_cut_shows_no_part_of_a_secret) {
  file.mcp_servers = {server_entry("a", "http://a/")};
  file.secrets = {"hunter2-hunter2"};
  source.configure(file);
  mcp::ServerLog log;
  log.add(mcp::LogLine::Origin::error_stream,
          std::string(mcp::ServerLog::kMaxLineBytes - 14, '.') + "hunter2-hunter2");
  made[0]->log_lines = log.lines();
  const std::string shown = source.servers().at(0).newest_log(1).at(0);
  EXPECT_EQ(shown.find("hun"), std::string::npos) << shown;
  EXPECT_TRUE(shown.ends_with(".\xE2\x80\xA6")) << shown;
}

TEST_F(McpSourceTest, a_server_that_starts_is_no_problem_and_one_that_failed_is_until_it_is_ready) {
  using State = mcp::ServerStatus::State;
  file.mcp_servers = {server_entry("a", "http://a/")};
  source.configure(file);
  EXPECT_TRUE(source.offer().issues.empty());
  EXPECT_EQ(source.offer().starting, Names{"a"});
  made[0]->status_now.state = State::failed;
  made[0]->status_now.reason = "exited with status 1";
  made[0]->set_tools({});
  const ToolOffer failed = source.offer();
  EXPECT_EQ(failed.issues.size(), 1u);
  EXPECT_TRUE(failed.starting.empty());
  made[0]->status_now.state = State::starting;  // again
  made[0]->set_tools({});
  ASSERT_EQ(source.offer().issues.size(), 1u);
  EXPECT_EQ(source.offer().issues[0].message, failed.issues[0].message) << "it does not come and go";
  EXPECT_TRUE(source.offer().starting.empty()) << "nobody waits for it";
  made[0]->status_now = {};
  made[0]->status_now.state = State::ready;
  made[0]->set_tools({});
  EXPECT_TRUE(source.offer().issues.empty());
  EXPECT_TRUE(source.offer().starting.empty());
}

// The real maker, with a server that is a program.
TEST(McpSource, starts_a_program_and_calls_its_tool) {
  const tests::fakes::TempDirectory data;
  const std::filesystem::path folder =
      std::filesystem::absolute(PARLEY_SOURCE_DIR "/tests/orchestration/mcp/servers").lexically_normal();
  McpSource source(make_mcp_server_maker(
      {.data_folder = data.path(), .search_path = "/usr/bin:/bin", .user_home = ""}, fetch::make_fetcher()));
  McpServerEntry entry = server_entry("py", "");
  Launch launch;
  launch.argv = {"python3", (folder / "stdio_server.py").string(), "modern"};
  launch.access.readable = {folder};
  if (!sandbox::fence_problem().empty()) launch.access.fence = sandbox::Fence::none;
  entry.transport = launch;
  ToolsFile file;
  file.mcp_servers = {entry};
  source.configure(file);
  ASSERT_TRUE(
      tests::fakes::eventually([&] { return !source.offer().tools.empty(); }, std::chrono::seconds(30)));
  for (const ToolPointer& tool : source.offer().tools) {
    if (tool->spec().name != "py_echo") continue;
    CallContext context;
    context.deadline = std::chrono::steady_clock::now() + std::chrono::seconds(10);
    EXPECT_EQ(tool->run({{"message", "hi"}}, context).text, "Echo: hi");
    return;
  }
  FAIL() << "py_echo was not offered";
}

}  // namespace
}  // namespace parley::orchestration::tools
