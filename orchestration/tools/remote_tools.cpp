#include "orchestration/tools/remote_tools.h"

#include <iterator>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "orchestration/tools/background_readings.h"
#include "orchestration/tools/definition_hash.h"
#include "orchestration/tools/http_tool.h"
#include "orchestration/tools/openapi.h"
#include "orchestration/tools/trusted_file.h"

namespace parley::orchestration::tools {
namespace {

ConfigIssue issue_at(std::string place, ConfigIssue::Severity severity, std::string message) {
  return {.severity = severity, .place = std::move(place), .message = std::move(message)};
}

// "json", "form" and "none" are words; anything else is a template.
void set_body(HttpToolConfig& config, const inference::json::JsonValue& body) {
  if (body.is_null()) return;
  if (body == inference::json::JsonValue("json")) {
    config.body = HttpBody::json;
  } else if (body == inference::json::JsonValue("form")) {
    config.body = HttpBody::form;
  } else if (body == inference::json::JsonValue("none")) {
    config.body = HttpBody::none;
  } else {
    config.body = HttpBody::filled;
    config.body_template = body;
  }
}

HttpToolConfig config_of(const HttpEntry& entry, const std::vector<std::string>& secrets) {
  HttpToolConfig config;
  config.method = entry.method;
  config.url = entry.url;
  config.headers = entry.headers;
  set_body(config, entry.body);
  config.timeout = entry.settings.timeout;
  config.max_output = entry.settings.max_output;
  config.secrets = secrets;
  return config;
}

ToolSpec spec_of(const ToolSettings& settings) {
  ToolSpec spec;
  spec.name = settings.name;
  spec.description = settings.description;
  spec.parameters = settings.parameters;
  spec.source = "http";
  spec.strict = settings.strict;
  spec.max_parallel = settings.concurrency;
  return spec;
}

OpenApiOptions options_of(const OpenApiEntry& entry, const std::vector<std::string>& secrets) {
  OpenApiOptions options;
  options.document_url = entry.url;
  options.base_url = entry.base_url;
  options.prefix = entry.name;
  options.source = entry.source;
  options.include = entry.include;
  options.exclude = entry.exclude;
  options.headers = entry.headers;
  options.timeout = entry.timeout;
  options.secrets = secrets;
  return options;
}

std::string description_fingerprint(const OpenApiEntry& entry) {
  DefinitionHash hash;
  hash.add(entry.source).add(entry.name).add(entry.url).add(entry.document.string()).add(entry.base_url);
  hash.add(entry.include).add(entry.exclude);
  for (const auto& [name, value] : entry.headers) hash.add(name).add(value);
  return hash.hex();
}

ReadTools read_tools_of(OpenApiTools found, const std::string& place) {
  ReadTools read;
  read.tools.assign(std::make_move_iterator(found.tools.begin()), std::make_move_iterator(found.tools.end()));
  read.failed = !found.problem.empty();
  if (read.failed)
    read.issues.push_back(issue_at(place, ConfigIssue::Severity::error, std::move(found.problem)));
  for (std::string& sentence : found.skipped)
    read.issues.push_back(issue_at(place, ConfigIssue::Severity::warning, std::move(sentence)));
  return read;
}

class RemoteTools final : public ToolSource {
 public:
  explicit RemoteTools(RemoteToolOptions options)
      : options_(std::move(options)), descriptions_(options_.retry_pause) {}

  void configure(const ToolsFile& file) override {
    http_ = {};
    for (const ToolEntry& entry : file.tools) {
      if (const auto* http = std::get_if<HttpEntry>(&entry)) add(*http, file.secrets);
    }
    std::vector<BackgroundReadings::Wanted> wanted;
    for (const OpenApiEntry& entry : file.openapi) {
      wanted.push_back(
          {.place = entry.source,
           .fingerprint = description_fingerprint(entry),
           .read = [options = options_, entry, secrets = file.secrets](const std::stop_token& stop) {
             return read(options, entry, secrets, stop);
           }});
    }
    descriptions_.replace(std::move(wanted));
  }

  ToolOffer offer() override {
    const std::uint64_t version =
        descriptions_.version();  // first: a change from here on is seen the next time
    if (version == offer_.version) return offer_;
    offer_ = {.tools = http_.tools, .issues = http_.issues, .version = version};
    descriptions_.add_to(offer_);
    return offer_;
  }

 private:
  void add(const HttpEntry& entry, const std::vector<std::string>& secrets) {
    auto made = make_http_tool(spec_of(entry.settings), config_of(entry, secrets), options_.fetcher);
    if (auto* tool = std::get_if<std::unique_ptr<Tool>>(&made)) {
      http_.tools.push_back(std::move(*tool));
      return;
    }
    http_.issues.push_back(issue_at("tools." + entry.settings.name + ".http", ConfigIssue::Severity::error,
                                    std::get<std::string>(std::move(made))));
  }

  static ReadTools read(const RemoteToolOptions& options, const OpenApiEntry& entry,
                        const std::vector<std::string>& secrets, const std::stop_token& stop) {
    const OpenApiOptions wanted = options_of(entry, secrets);
    if (entry.url.empty()) return read_tools_of(read_document(options, entry, wanted), entry.source);
    const auto deadline = std::chrono::steady_clock::now() + options.description_timeout;
    return read_tools_of(fetch_openapi(wanted, options.fetcher, deadline, stop), entry.source);
  }

  static OpenApiTools read_document(const RemoteToolOptions& options, const OpenApiEntry& entry,
                                    const OpenApiOptions& wanted) {
    const TrustedFile document = read_trusted_file(entry.document, kMaxOpenApiBytes);
    if (document.problem.empty()) return read_openapi(document.bytes, wanted, options.fetcher);
    OpenApiTools nothing;
    nothing.problem = document.problem;
    return nothing;
  }

  const RemoteToolOptions options_;
  ToolOffer http_;
  BackgroundReadings descriptions_;
  ToolOffer offer_;
};

}  // namespace

std::unique_ptr<ToolSource> make_remote_tools(RemoteToolOptions options) {
  return std::make_unique<RemoteTools>(std::move(options));
}

}  // namespace parley::orchestration::tools
