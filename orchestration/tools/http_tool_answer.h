#pragma once
// What a server answered, as a tool's result: JSON compact, text as UTF-8, images as images, statuses from
// 300 on as errors with what the server says about them. Pure, any thread; never fails.

#include <cstddef>
#include <string>
#include <vector>

#include "orchestration/fetch/fetch.h"
#include "orchestration/tools/tool.h"

namespace parley::orchestration::tools {

// `secrets`: values that are taken out, before anything is cut.
ToolResult result_of_answer(const fetch::FetchResponse& response, std::size_t max_output,
                            const std::vector<std::string>& secrets = {});

}  // namespace parley::orchestration::tools
