#pragma once
// Tools that are HTTP requests: those of the file, and the operations of OpenAPI descriptions, which are read
// in the background whenever the file is. A source of the registry; used as one. A description that cannot be
// had is an issue, and asked for again.

#include <chrono>
#include <memory>

#include "orchestration/fetch/fetch.h"
#include "orchestration/tools/tool_source.h"

namespace parley::orchestration::tools {

struct RemoteToolOptions {
  std::shared_ptr<const fetch::Fetcher> fetcher;  // shared with the calls that run
  std::chrono::milliseconds description_timeout{10000};
  std::chrono::milliseconds retry_pause{30000};  // of a description that could not be had
};

std::unique_ptr<ToolSource> make_remote_tools(RemoteToolOptions options);

}  // namespace parley::orchestration::tools
