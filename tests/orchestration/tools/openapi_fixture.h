#pragma once
// What the tests of OpenAPI descriptions share.

#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <string_view>

#include "inference/json/json_writer.h"
#include "orchestration/tools/openapi.h"
#include "tests/orchestration/tools/http_fixture.h"

namespace parley::orchestration::tools {

inline OpenApiTools tools_of(std::string_view document, const OpenApiOptions& options = {}) {
  return read_openapi(document, options, fetch::make_fetcher());
}

inline Tool* find_tool(const OpenApiTools& tools, std::string_view name) {
  for (const auto& tool : tools.tools) {
    if (tool->spec().name == name) return tool.get();
  }
  ADD_FAILURE() << "no tool " << name << "; " << tools.problem;
  for (const std::string& why : tools.skipped) ADD_FAILURE() << why;
  return nullptr;
}

inline std::string parameters_of(const OpenApiTools& tools, std::string_view name) {
  const Tool* tool = find_tool(tools, name);
  return tool == nullptr ? "" : inference::json::to_json_text(tool->spec().parameters);
}

// A description with these paths, whose server is a.example.
inline std::string description_with(const std::string& paths, const std::string& more = "") {
  return R"({"openapi":"3.0.3","info":{"title":"t","version":"1"},"servers":[{"url":"http://a.example/v1"}],"paths":)" +
         paths + more + "}";
}

inline std::string golden_description() {
  std::ifstream file(PARLEY_SOURCE_DIR "/tests/goldens/openapi/fastapi.json");
  return std::string(std::istreambuf_iterator<char>(file), {});
}

}  // namespace parley::orchestration::tools
