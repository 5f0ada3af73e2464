#pragma once
// The MCP servers of the tools file as a source of the registry: starts them, keeps them as long as the file
// says the same of them, and offers their tools. `configure` and `offer` as tool_source.h says; `servers`
// from any thread.

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "orchestration/fetch/fetch.h"
#include "orchestration/mcp/server.h"
#include "orchestration/mcp/stdio_profile.h"
#include "orchestration/tools/tool_source.h"

namespace parley::orchestration::tools {

// Shared: by the source, and by calls while they run. Never by what the I/O thread drops: the last owner
// waits for the server's end.
using McpServerPointer = std::shared_ptr<mcp::McpServer>;
using McpServerMaker =
    std::function<McpServerPointer(const McpServerEntry& entry, std::function<void()> on_change)>;

// Programs behind the fence, and HTTP.
McpServerMaker make_mcp_server_maker(mcp::Surroundings surroundings,
                                     std::shared_ptr<const fetch::Fetcher> fetcher);

class McpSource final : public ToolSource {
 public:
  explicit McpSource(McpServerMaker maker);

  void configure(const ToolsFile& file) override;
  ToolOffer offer() override;

  // For the panel of tools: state, log and tools of each. What the server says of itself is shown without the
  // secrets that it was given.
  struct NamedServer {
    std::string name;
    McpServerPointer server;
    std::vector<std::string> secrets;

    mcp::ServerStatus shown_status() const;
    std::vector<std::string> newest_log(std::size_t max_lines) const;
  };
  std::vector<NamedServer> servers() const;

 private:
  struct Kept {
    McpServerEntry entry;
    std::string fingerprint;  // of all in the entry that the running server depends on
    McpServerPointer server;
  };

  McpServerPointer running(const std::string& fingerprint) const;

  const McpServerMaker maker_;
  // Shared with the servers' threads, which may tell of a change when this is gone.
  const std::shared_ptr<std::atomic<std::uint64_t>> version_ =
      std::make_shared<std::atomic<std::uint64_t>>(1);
  mutable std::mutex mutex_;
  std::vector<Kept> kept_;
  std::vector<std::string> secrets_;
  ToolOffer offer_;  // the last one made
};

}  // namespace parley::orchestration::tools
