#include "orchestration/tools/openapi.h"

#include <algorithm>
#include <array>
#include <unordered_set>
#include <utility>
#include <variant>

#include "inference/json/fields.h"
#include "orchestration/fetch/url.h"
#include "orchestration/mcp/plain_text.h"
#include "orchestration/tools/glob.h"
#include "orchestration/tools/http_tool.h"
#include "orchestration/tools/http_tool_text.h"
#include "orchestration/tools/openapi_operation.h"
#include "orchestration/tools/tool_name.h"

namespace parley::orchestration::tools {
namespace {

using inference::json::JsonObject;
using inference::json::JsonValue;
using inference::json::object_field;
using inference::json::text_field;

constexpr std::size_t kMaxDocumentDepth = 128;
constexpr std::size_t kMaxTools = 256;
constexpr std::size_t kMaxSkipped = 100;
constexpr std::array<std::string_view, 5> kMethods = {"get", "put", "post", "delete", "patch"};

// The first server's URL with the defaults of its variables; "/" as OpenAPI has it where there is none.
std::string first_server(const JsonObject& document) {
  const JsonValue* servers = document.if_contains("servers");
  if (servers == nullptr || !servers->is_array() || servers->get_array().empty()) return "/";
  const JsonValue& server = servers->get_array().front();
  if (!server.is_object()) return "/";
  std::string url = text_field(server.get_object(), "url");
  const JsonObject* variables = object_field(server.get_object(), "variables");
  if (variables == nullptr) return url;
  for (const auto& [name, variable] : *variables) {
    if (!variable.is_object()) continue;
    const std::string placeholder = "{" + std::string(name) + "}";
    const std::size_t at = url.find(placeholder);
    if (at != std::string::npos)
      url.replace(at, placeholder.size(), text_field(variable.get_object(), "default"));
  }
  return url;
}

struct BaseUrl {
  std::string url;
  UrlAuthor author = UrlAuthor::operators_file;
  std::string problem;
};

BaseUrl base_from_description(const JsonObject& document, const OpenApiOptions& options) {
  const std::string server = first_server(document);
  const fetch::ParsedUrl origin = fetch::Url::parse(options.document_url);
  const auto* from = std::get_if<fetch::Url>(&origin);
  const fetch::ParsedUrl parsed = from == nullptr ? fetch::Url::parse(server) : from->resolve(server);
  if (const auto* error = std::get_if<fetch::UrlError>(&parsed)) {
    return {
        .url = {},
        .problem = "The description names no server that can be used; set \"baseUrl\". " + error->sentence};
  }
  const auto& url = std::get<fetch::Url>(parsed);
  BaseUrl base{.url = url.text(), .problem = {}};
  if (options.document_url.empty() || (from != nullptr && from->origin() == url.origin())) return base;
  base.author = UrlAuthor::somebody_else;
  if (!options.headers.empty()) {
    base.problem = "The description sends requests to " + url.origin() +
                   ", another host than its own, and they would "
                   "carry the credentials of the tools file. If this is right, set \"baseUrl\" to it.";
  }
  return base;
}

BaseUrl base_url(const JsonObject& document, const OpenApiOptions& options) {
  BaseUrl base = options.base_url.empty() ? base_from_description(document, options)
                                          : BaseUrl{.url = options.base_url, .problem = {}};
  if (base.url.find_first_of("?#") != std::string::npos) base.problem = "The server's URL has a query.";
  while (base.url.ends_with('/')) base.url.pop_back();
  return base;
}

// Whether the description comes from the host that requests go to, and may be asked for with their
// credentials.
bool is_one_host(const OpenApiOptions& options) {
  if (options.base_url.empty()) return true;
  const fetch::ParsedUrl document = fetch::Url::parse(options.document_url);
  const fetch::ParsedUrl base = fetch::Url::parse(options.base_url);
  const auto* from = std::get_if<fetch::Url>(&document);
  const auto* to = std::get_if<fetch::Url>(&base);
  return from != nullptr && to != nullptr && from->origin() == to->origin();
}

class DescriptionReader {
 public:
  DescriptionReader(const JsonValue& document, const OpenApiOptions& options,
                    std::shared_ptr<const fetch::Fetcher> fetcher)
      : document_(document), options_(options), fetcher_(std::move(fetcher)) {}

  OpenApiTools read() {
    const JsonObject& document = document_.get_object();
    const JsonObject* paths = object_field(document, "paths");
    if (paths == nullptr) return failed("The description has no \"paths\".");
    BaseUrl base = base_url(document, options_);
    if (!base.problem.empty()) return failed(std::move(base.problem));
    config_.url = std::move(base.url);
    config_.url_author = base.author;
    config_.headers = options_.headers;
    config_.timeout = options_.timeout;
    config_.max_output = options_.max_output;
    config_.secrets = options_.secrets;
    for (const auto& [path, item] : *paths) {
      if (item.is_object()) read_path(path, item.get_object());
    }
    return std::move(out_);
  }

  static OpenApiTools failed(std::string problem) {
    OpenApiTools out;
    out.problem = std::move(problem);
    return out;
  }

 private:
  void read_path(std::string_view path, const JsonObject& item) {
    for (const std::string_view method : kMethods) {
      const JsonObject* operation = object_field(item, method);
      if (operation == nullptr) continue;
      const OpenApiPlace place{
          .document = document_, .path = path, .method = method, .path_item = item, .operation = *operation};
      read_operation(place, openapi_operation_name(place));
    }
  }

  void read_operation(const OpenApiPlace& place, const std::string& id) {
    if (!is_wanted(id, options_.include, options_.exclude)) return;
    const std::string name = options_.prefix.empty() ? mapped_name(id) : mapped_name(options_.prefix, id);
    if (out_.tools.size() >= kMaxTools) return skip(id, "there are more than " + std::to_string(kMaxTools));
    if (!names_.insert(name).second) return skip(id, "another operation has this name");
    OpenApiOperation operation = read_openapi_operation(place, config_);
    if (!operation.problem.empty()) return skip(id, operation.problem);
    operation.spec.name = name;
    operation.spec.source = options_.source;
    operation.spec.max_parallel = options_.concurrency;
    auto made = make_http_tool(std::move(operation.spec), std::move(operation.config), fetcher_);
    if (const auto* problem = std::get_if<std::string>(&made)) return skip(id, *problem);
    out_.tools.push_back(std::get<std::unique_ptr<Tool>>(std::move(made)));
  }

  void skip(std::string_view id, const std::string& why) {
    if (out_.skipped.size() > kMaxSkipped) return;
    if (out_.skipped.size() == kMaxSkipped) {
      out_.skipped.emplace_back("More operations are left out.");
      return;
    }
    out_.skipped.push_back("The operation " + shown_text(mcp::head_of(id, 100)) + " is left out: " + why +
                           ".");
  }

  const JsonValue& document_;
  const OpenApiOptions& options_;
  std::shared_ptr<const fetch::Fetcher> fetcher_;
  HttpToolConfig config_;  // what all operations share
  std::unordered_set<std::string> names_;
  OpenApiTools out_;
};

std::string version_problem(const JsonValue& document) {
  if (!document.is_object()) return "The description is no JSON object.";
  const std::string version = text_field(document.get_object(), "openapi");
  if (version.starts_with("3.0") || version.starts_with("3.1")) return {};
  if (document.get_object().contains("swagger")) {
    return "The description is Swagger 2; only OpenAPI 3.0 and 3.1 can be used. Converters to version 3 "
           "exist.";
  }
  return "The description is no OpenAPI 3.0 or 3.1.";
}

}  // namespace

OpenApiTools read_openapi(std::string_view document, const OpenApiOptions& options,
                          const std::shared_ptr<const fetch::Fetcher>& fetcher) {
  const std::size_t begin = document.find_first_not_of(" \t\r\n");
  if (begin == std::string_view::npos || document[begin] != '{') {
    return DescriptionReader::failed(
        "The description is not JSON. If it is YAML, convert it; many servers have it as /openapi.json, "
        "too.");
  }
  const auto parsed =
      inference::json::parse_json(document, {.max_bytes = kMaxOpenApiBytes, .max_depth = kMaxDocumentDepth});
  if (const auto* error = std::get_if<inference::json::JsonError>(&parsed)) {
    return DescriptionReader::failed("The description cannot be read. " + error->message);
  }
  const auto& value = std::get<JsonValue>(parsed);
  if (std::string problem = version_problem(value); !problem.empty()) {
    return DescriptionReader::failed(std::move(problem));
  }
  return DescriptionReader(value, options, fetcher).read();
}

OpenApiTools fetch_openapi(const OpenApiOptions& options,
                           const std::shared_ptr<const fetch::Fetcher>& fetcher,
                           std::chrono::steady_clock::time_point deadline, const std::stop_token& stop) {
  fetch::FetchRequest request;
  request.url = options.document_url;
  if (is_one_host(options)) request.headers = options.headers;
  request.trusted_origins = {options.document_url};
  request.max_body = kMaxOpenApiBytes;
  request.deadline = deadline;
  request.stop = stop;
  const fetch::FetchResponse response = fetcher->fetch(request);
  if (response.end != fetch::FetchResponse::End::complete) return DescriptionReader::failed(response.error);
  if (response.status != 200) {
    return DescriptionReader::failed("The description at " + options.document_url +
                                     " could not be had: HTTP status " + std::to_string(response.status) +
                                     ".");
  }
  if (response.cut) return DescriptionReader::failed("The description is larger than 8 MiB.");
  return read_openapi(response.body, options, fetcher);
}

}  // namespace parley::orchestration::tools
