#pragma once
// An OpenAPI 3.0 or 3.1 description (JSON) as tools, one for each operation. The description is a stranger's
// text: it is bounded, and cannot make credentials go to another host than the operator named. Any thread;
// what cannot be read is a sentence.

#include <chrono>
#include <cstddef>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "orchestration/fetch/fetch.h"
#include "orchestration/tools/tool.h"

namespace parley::orchestration::tools {

inline constexpr std::size_t kMaxOpenApiBytes = std::size_t{8} << 20;  // of a description

struct OpenApiOptions {
  std::string document_url{};          // where the description is; empty: it is the operator's own file
  std::string base_url{};              // where requests go; empty: to the description's first server
  std::string prefix{};                // of the tools' names; may be empty
  std::string source{};                // ToolSpec::source
  std::vector<std::string> include{};  // globs over operation ids; empty: all
  std::vector<std::string> exclude{};  // these win
  std::vector<fetch::Header>
      headers{};  // credentials included: for calls, and for a description on their host
  int concurrency = 4;
  std::optional<std::chrono::milliseconds> timeout{};  // of a call
  std::size_t max_output = 65536;
  std::vector<std::string> secrets{};  // values never to be shown
};

struct OpenApiTools {
  std::vector<std::unique_ptr<Tool>> tools;  // in the description's order
  std::vector<std::string> skipped;          // operations left out, and why: sentences
  std::string problem;                       // not empty: a sentence, and no tools at all
};

OpenApiTools read_openapi(std::string_view document, const OpenApiOptions& options,
                          const std::shared_ptr<const fetch::Fetcher>& fetcher);

// Fetches the description first, from options.document_url. Blocks.
OpenApiTools fetch_openapi(const OpenApiOptions& options,
                           const std::shared_ptr<const fetch::Fetcher>& fetcher,
                           std::chrono::steady_clock::time_point deadline, const std::stop_token& stop);

}  // namespace parley::orchestration::tools
