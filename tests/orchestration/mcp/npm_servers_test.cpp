// The client against the reference servers from npm, which scripts/lib.sh installs into build/tools/mcp.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <optional>

#include "tests/orchestration/mcp/test_servers.h"

namespace parley::orchestration::mcp {
namespace {

using Status = CallOutcome::Status;
using std::filesystem::path;
using tests::fakes::eventually;

// The first node in PATH, or the one that the scripts installed.
std::optional<path> find_node() {
  const char* search = std::getenv("PATH");
  std::string rest = search == nullptr ? "" : search;
  rest += ":" + std::filesystem::absolute(PARLEY_SOURCE_DIR "/build/tools/node/bin").string();
  for (std::size_t begin = 0; begin < rest.size();) {
    const std::size_t end = std::min(rest.find(':', begin), rest.size());
    const path node = path(rest.substr(begin, end - begin)) / "node";
    if (std::filesystem::exists(node)) return node;
    begin = end + 1;
  }
  return std::nullopt;
}

struct NpmServerTest : testing::Test {
  void SetUp() override {
    if (!node || !std::filesystem::exists(modules)) {
      GTEST_SKIP() << "NOT TESTED: node or build/tools/mcp is missing (scripts/test installs both)";
    }
  }

  // As an entry of the tools file: node, the server's script, its arguments.
  sandbox::Program program(const std::string& package, std::vector<std::string> arguments) const {
    std::vector<std::string> argv = {node->string(), (modules / package / "dist/index.js").string()};
    argv.insert(argv.end(), arguments.begin(), arguments.end());
    return bench.program(std::move(argv), {modules});
  }

  const std::optional<path> node = find_node();
  const path modules =
      std::filesystem::absolute(PARLEY_SOURCE_DIR "/build/tools/mcp/node_modules").lexically_normal();
  TestBench bench;
};

TEST_F(NpmServerTest, everything_calls_with_all_kinds_of_results) {
  const auto server = bench.start(program("@modelcontextprotocol/server-everything", {}));
  ASSERT_TRUE(is_ready(*server)) << server->status().reason << log_text(*server);
  EXPECT_EQ(server->status().facts->dialect.version, "2025-11-25");
  EXPECT_GE(server->tools()->tools.size(), 10u);
  EXPECT_EQ(first_text(call(*server, "echo", {{"message", "Grüße"}})), "Echo: Grüße");
  EXPECT_NE(first_text(call(*server, "get-sum", {{"a", 2}, {"b", 40}})).find("42"), std::string::npos);
  const CallOutcome weather = call(*server, "get-structured-content", {{"location", "Chicago"}});
  ASSERT_TRUE(weather.structured.has_value()) << weather.problem;
  EXPECT_TRUE(weather.structured->as_object().contains("temperature"));
  bool has_image = false;
  for (const ContentBlock& block : call(*server, "get-tiny-image").content) {
    has_image = has_image || (block.kind == ContentBlock::Kind::image && block.bytes.starts_with("\x89PNG"));
  }
  EXPECT_TRUE(has_image);
  EXPECT_NE(call(*server, "get-sum", {{"a", "two"}}).status, Status::ok);
  EXPECT_EQ(first_text(call(*server, "echo", {{"message", "still here"}})), "Echo: still here");
}

TEST_F(NpmServerTest, everything_reports_progress_of_a_long_call) {
  const auto server = bench.start(program("@modelcontextprotocol/server-everything", {}));
  ASSERT_TRUE(is_ready(*server)) << server->status().reason;
  std::vector<double> seen;
  CallOptions how = options();
  how.timeout = std::chrono::milliseconds(1500);
  how.on_progress = [&](const Progress& progress) { seen.push_back(progress.progress.value_or(-1)); };
  const CallOutcome outcome =
      call(*server, "trigger-long-running-operation", {{"duration", 3}, {"steps", 6}}, how);
  EXPECT_NE(first_text(outcome).find("completed"), std::string::npos) << outcome.problem;
  EXPECT_GE(seen.size(), 4u);
}

TEST_F(NpmServerTest, filesystem_reads_what_it_was_given_and_nothing_else) {
  const tests::fakes::TempDirectory docs;
  std::filesystem::permissions(docs.path(), std::filesystem::perms(0755));
  std::ofstream(docs.path() / "note.txt") << "the answer is 42\n";
  const auto server = bench.start(program("@modelcontextprotocol/server-filesystem", {docs.path().string()}));
  ASSERT_TRUE(is_ready(*server)) << server->status().reason << log_text(*server);
  const std::string note = (docs.path() / "note.txt").string();
  EXPECT_EQ(first_text(call(*server, "read_text_file", {{"path", note}})), "the answer is 42\n");
  EXPECT_EQ(call(*server, "read_text_file", {{"path", "/etc/passwd"}}).status, Status::tool_error);
  const std::string other = (docs.path() / "new.txt").string();
  EXPECT_EQ(call(*server, "write_file", {{"path", other}, {"content", "x"}}).status, Status::tool_error);
  EXPECT_FALSE(std::filesystem::exists(other));
}

TEST_F(NpmServerTest, everything_over_http) {
  sandbox::Program peer = program("@modelcontextprotocol/server-everything", {"streamableHttp"});
  const std::string port = std::to_string(20000 + ::getpid() % 20000);
  peer.environment["PORT"] = port;
  std::atomic<bool> is_up{false};
  sandbox::PipedHandlers handlers;
  handlers.on_line = [](std::string_view) {};
  handlers.on_error_line = [&](std::string_view line) {
    is_up = is_up || line.find("listening") != line.npos;
  };
  handlers.on_line = handlers.on_error_line;
  handlers.on_end = [](const std::string&) {};
  const auto running = sandbox::start_piped_program(peer, std::move(handlers));
  ASSERT_TRUE(eventually([&] { return is_up.load(); }, std::chrono::seconds(60)));
  const auto server = bench.http("http://127.0.0.1:" + port + "/mcp", {});
  ASSERT_TRUE(is_ready(*server)) << server->status().reason << log_text(*server);
  EXPECT_EQ(first_text(call(*server, "echo", {{"message", "over HTTP"}})), "Echo: over HTTP");
  int seen = 0;
  CallOptions how = options();
  how.on_progress = [&](const Progress&) { ++seen; };
  call(*server, "trigger-long-running-operation", {{"duration", 1}, {"steps", 3}}, how);
  EXPECT_GE(seen, 2);
}

}  // namespace
}  // namespace parley::orchestration::mcp
