#pragma once
// A model's arguments, each at its place in a request. Pure, any thread; what cannot be sent is a sentence.

#include <string>
#include <vector>

#include "inference/json/json.h"
#include "orchestration/fetch/fetch.h"
#include "orchestration/tools/http_tool.h"

namespace parley::orchestration::tools {

struct HttpCall {
  std::string url;
  std::vector<fetch::Header> argument_headers;  // of the arguments alone
  std::vector<fetch::Header> headers;           // of the configuration, and what the body needs
  std::string body;
  std::string problem;  // not empty: a sentence for the model, and nothing is to be sent
};

HttpCall make_http_call(const HttpToolConfig& config, const inference::json::JsonObject& arguments);

}  // namespace parley::orchestration::tools
