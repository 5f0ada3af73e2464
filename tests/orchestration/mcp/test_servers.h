#pragma once
// Starts the Python servers of this folder, as Parley would: behind the fence where there is one. One thread.

#include <atomic>
#include <filesystem>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "orchestration/fetch/fetch.h"
#include "orchestration/mcp/http_transport.h"
#include "orchestration/mcp/server.h"
#include "orchestration/mcp/stdio_profile.h"
#include "orchestration/mcp/stdio_transport.h"
#include "orchestration/sandbox/run_program.h"
#include "tests/fakes/eventually.h"
#include "tests/fakes/temp_directory.h"

namespace parley::orchestration::mcp {

// What is the same for all servers of a test: short pauses, a data folder.
class TestBench {
 public:
  ServerSettings settings(TransportFactory transport) {
    ServerSettings settings;
    settings.transport = std::move(transport);
    settings.first_handshake = std::chrono::seconds(30);
    settings.handshake = std::chrono::seconds(30);
    settings.probe = std::chrono::milliseconds(1500);
    settings.first_pause = std::chrono::milliseconds(20);
    settings.last_pause = std::chrono::milliseconds(100);
    settings.relist_pause = std::chrono::milliseconds(10);
    settings.on_change = [this] { ++changes; };
    return settings;
  }

  sandbox::Program program(std::vector<std::string> argv, std::vector<std::filesystem::path> readable) const {
    StdioEntry entry;
    entry.name = "test";
    entry.argv = std::move(argv);
    entry.environment["PYTHONDONTWRITEBYTECODE"] = "1";
    entry.readable = std::move(readable);
    entry.fence = sandbox::fence_problem().empty() ? sandbox::Fence::bubblewrap : sandbox::Fence::none;
    return make_stdio_profile(entry,
                              {.data_folder = data.path(), .search_path = "/usr/bin:/bin", .user_home = ""})
        .program;
  }

  sandbox::Program python(const std::string& script, const std::string& era) const {
    const std::filesystem::path folder =
        std::filesystem::absolute(PARLEY_SOURCE_DIR "/tests/orchestration/mcp/servers").lexically_normal();
    return program({"/usr/bin/python3", (folder / script).string(), era}, {folder});
  }

  std::unique_ptr<McpServer> stdio(const std::string& era) { return start(python("stdio_server.py", era)); }

  std::unique_ptr<McpServer> start(sandbox::Program program) {
    return make_mcp_server(settings([program = std::move(program)] {
      return make_stdio_transport(program, sandbox::start_piped_program);
    }));
  }

  std::unique_ptr<McpServer> http(const std::string& url, std::vector<fetch::Header> headers) {
    const std::string origin = url.substr(0, url.find('/', 8));
    const HttpEndpoint endpoint{.url = url, .headers = std::move(headers), .trusted_origins = {origin}};
    return make_mcp_server(settings([this, endpoint] { return make_http_transport(endpoint, fetcher); }));
  }

  tests::fakes::TempDirectory data;
  std::atomic<int> changes{0};
  const std::shared_ptr<const fetch::Fetcher> fetcher = fetch::make_fetcher();
};

// A server that is up before a test begins, and tells it lines.
class HttpServer {
 public:
  HttpServer(const TestBench& bench, const std::string& era) {
    sandbox::PipedHandlers handlers;
    handlers.on_line = [this](std::string_view line) {
      const std::lock_guard lock(mutex_);
      lines_.emplace_back(line);
    };
    handlers.on_error_line = handlers.on_line;
    handlers.on_end = [](const std::string&) {};
    program_ = sandbox::start_piped_program(bench.python("http_server.py", era), std::move(handlers));
    tests::fakes::eventually([this] { return !lines().empty(); }, std::chrono::seconds(20));
  }

  std::string url() const {
    const auto said = lines();
    return "http://127.0.0.1:" + (said.empty() ? "1" : said.front()) + "/mcp";
  }
  std::vector<std::string> lines() const {
    const std::lock_guard lock(mutex_);
    return lines_;
  }
  bool says(const std::string& part) const {
    return tests::fakes::eventually([&] {
      for (const std::string& line : lines()) {
        if (line.find(part) != std::string::npos) return true;
      }
      return false;
    });
  }
  void end() { program_.reset(); }

 private:
  mutable std::mutex mutex_;
  std::vector<std::string> lines_;
  std::unique_ptr<sandbox::PipedProgram> program_;
};

inline bool is_ready(const McpServer& server, std::chrono::milliseconds limit = std::chrono::seconds(30)) {
  return tests::fakes::eventually([&] { return server.status().state == ServerStatus::State::ready; }, limit);
}

inline CallOptions options(std::chrono::milliseconds limit = std::chrono::seconds(20)) {
  CallOptions options;
  options.deadline = std::chrono::steady_clock::now() + limit;
  return options;
}

// By name; a tool that is not there fails with "no such tool".
inline CallOutcome call(McpServer& server, std::string_view name,
                        const inference::json::JsonObject& arguments = {},
                        const CallOptions& how = options()) {
  const auto list = server.tools();
  const ToolDefinition* tool = list->find(name);
  CallOutcome missing;
  missing.problem = "no such tool";
  return tool == nullptr ? missing : server.call(*tool, arguments, how);
}

inline std::string first_text(const CallOutcome& outcome) {
  return outcome.content.empty() ? "(" + outcome.problem + ")" : outcome.content.front().text;
}

inline std::string log_text(const McpServer& server) {
  std::string text;
  for (const LogLine& line : server.log()) text += line.text + "\n";
  return text;
}

}  // namespace parley::orchestration::mcp
