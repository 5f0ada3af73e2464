#pragma once
// The tools of a messages document, to be offered to a model and never run. A plain function, any thread.
// Throws std::runtime_error that names the place in the text and says what belongs there.

#include <memory>
#include <string>
#include <vector>

#include "orchestration/tools/tool.h"

namespace parley::app::cli {

// `tools_json`: a list of {"type":"function","function":{"name","description","parameters","strict"}}, or of
// such functions bare; empty: none. `source` is what errors call it.
std::vector<std::shared_ptr<orchestration::tools::Tool>> document_tools(const std::string& tools_json,
                                                                        const std::string& source);

}  // namespace parley::app::cli
