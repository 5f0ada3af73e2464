#include "orchestration/tools/http_tool.h"

#include <algorithm>
#include <utility>

#include "inference/json/json_writer.h"
#include "orchestration/fetch/request_rules.h"
#include "orchestration/tools/clean_output.h"
#include "orchestration/tools/http_tool_answer.h"
#include "orchestration/tools/http_tool_call.h"
#include "orchestration/tools/http_tool_url.h"
#include "orchestration/tools/sha256.h"

namespace parley::orchestration::tools {
namespace {

using inference::json::JsonArray;
using inference::json::JsonObject;
using inference::json::JsonValue;

constexpr std::size_t kMaxAnswer = std::size_t{8} << 20;  // bytes: images may be larger than text

std::string definition_hash(const ToolSpec& spec, const HttpToolConfig& config) {
  JsonArray headers;
  for (const auto& [name, value] : config.headers) headers.push_back(JsonArray{name, value});
  JsonArray places;
  for (const HttpArgument& argument : config.arguments) {
    places.push_back(JsonArray{argument.name, argument.sent_as, static_cast<int>(argument.place)});
  }
  const JsonArray all{"http",
                      spec.name,
                      spec.description,
                      spec.parameters,
                      config.method,
                      config.url,
                      headers,
                      static_cast<int>(config.body),
                      config.body_template,
                      places};
  return sha256_hex(inference::json::to_json_text(all));
}

std::vector<std::string> properties_of(const JsonObject& schema) {
  std::vector<std::string> names;
  const JsonValue* properties = schema.if_contains("properties");
  if (properties == nullptr || !properties->is_object()) return names;
  for (const auto& field : properties->get_object()) names.emplace_back(field.key());
  return names;
}

std::string http_tool_problem(const HttpToolConfig& config) {
  if (std::string problem = url_template_problem(config.url); !problem.empty()) return problem;
  fetch::FetchRequest probe;
  probe.method = config.method;
  probe.headers = config.headers;
  if (std::string problem = fetch::request_problem(probe); !problem.empty()) return problem;
  for (const std::string& name : url_placeholders(config.url)) {
    if (std::find(config.properties.begin(), config.properties.end(), name) == config.properties.end()) {
      return "The URL's {" + name + "} is no property of the tool's parameters.";
    }
  }
  return {};
}

class HttpTool final : public Tool {
 public:
  HttpTool(ToolSpec spec, HttpToolConfig config, std::shared_ptr<const fetch::Fetcher> fetcher)
      : spec_(std::move(spec)), config_(std::move(config)), fetcher_(std::move(fetcher)) {}

  const ToolSpec& spec() const override { return spec_; }

  CallPreview preview(const JsonObject& arguments) const override {
    HttpCall call = make_http_call(config_, arguments);
    CallPreview preview{.kind = "request",
                        .words = {config_.method, redacted(call.url, config_.secrets)},
                        .input = redacted(std::move(call.body), config_.secrets)};
    for (const auto& [name, value] : call.argument_headers) {
      std::string line = name;
      line += ": ";
      line += value;
      preview.words.push_back(redacted(std::move(line), config_.secrets));
    }
    if (!call.problem.empty()) preview.words.push_back("(will not be sent) " + call.problem);
    return preview;
  }

  ToolResult run(const JsonObject& arguments, const CallContext& context) override {
    HttpCall call = make_http_call(config_, arguments);
    if (!call.problem.empty()) {
      ToolResult result;
      result.status = ToolResult::Status::error;
      result.text = std::move(call.problem);
      return result;
    }
    ToolResult result = result_of_answer(fetcher_->fetch(request_of(std::move(call), context)),
                                         config_.max_output, config_.secrets);
    result.text = redacted(std::move(result.text), config_.secrets);  // error texts and addresses, too
    return result;
  }

 private:
  fetch::FetchRequest request_of(HttpCall call, const CallContext& context) const {
    fetch::FetchRequest request;
    request.method = config_.method;
    request.url = std::move(call.url);
    request.headers = std::move(call.headers);
    std::move(call.argument_headers.begin(), call.argument_headers.end(),
              std::back_inserter(request.headers));
    request.body = std::move(call.body);
    if (config_.url_author == UrlAuthor::operators_file)
      request.trusted_origins = {std::string(url_origin(config_.url))};
    request.max_body = kMaxAnswer;
    request.deadline = context.deadline;
    if (config_.timeout)
      request.deadline = std::min(request.deadline, std::chrono::steady_clock::now() + *config_.timeout);
    request.stop = context.stop;
    return request;
  }

  ToolSpec spec_;
  HttpToolConfig config_;
  std::shared_ptr<const fetch::Fetcher> fetcher_;  // shared with other tools: running calls outlive a reload
};

}  // namespace

std::variant<std::unique_ptr<Tool>, std::string> make_http_tool(
    ToolSpec spec, HttpToolConfig config, std::shared_ptr<const fetch::Fetcher> fetcher) {
  config.properties = properties_of(spec.parameters);
  if (std::string problem = http_tool_problem(config); !problem.empty()) return problem;
  spec.definition_hash = definition_hash(spec, config);
  spec.timeout = config.timeout;
  return std::make_unique<HttpTool>(std::move(spec), std::move(config), std::move(fetcher));
}

}  // namespace parley::orchestration::tools
