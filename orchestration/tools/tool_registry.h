#pragma once
// The tools file and what it gives, kept up to date. `refresh` blocks and belongs on a worker thread, polled
// every second or so; `current` is quick and for any thread. A broken edit changes nothing but `error`.

#include <filesystem>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "orchestration/tools/config_variables.h"
#include "orchestration/tools/tool_set.h"
#include "orchestration/tools/tool_source.h"
#include "orchestration/tools/tools_file.h"

namespace parley::orchestration::tools {

// One moment, immutable.
struct RegistryState {
  ToolSet tools;
  std::shared_ptr<const ToolsFile> file;  // the last usable one; shared with later states
  std::string error;  // not empty: the file as it is now cannot be used, and these are the tools of before
  std::vector<ConfigIssue> issues;    // of entries, sources and names
  std::vector<std::string> starting;  // what may still bring tools: servers, or the file before it was read
  std::uint64_t version = 0;          // counts the changes
};

class ToolRegistry {
 public:
  // Sources are asked in this order: of two tools with one name, that of the first stays. An empty path: no
  // file. Nothing is read before the first refresh.
  ToolRegistry(std::filesystem::path file, Environment environment,
               std::vector<std::unique_ptr<ToolSource>> sources);

  // True: something changed. Calls at once take turns. Throws where memory or threads have run out; the next
  // call does again what was not done.
  bool refresh();

  // Shared: a turn keeps the state it began with.
  std::shared_ptr<const RegistryState> current() const;

 private:
  bool look();
  bool reload_file(RegistryState& next);
  bool ask_sources();

  const std::filesystem::path path_;
  const Environment environment_;
  const std::vector<std::unique_ptr<ToolSource>> sources_;

  std::mutex refreshing_;  // held by refresh, over all below but current_
  std::string seen_;       // hash of the bytes last looked at, or why there are none
  bool configured_ = false;
  std::vector<ToolOffer> offers_;

  mutable std::mutex current_mutex_;
  std::shared_ptr<const RegistryState> current_;
};

}  // namespace parley::orchestration::tools
