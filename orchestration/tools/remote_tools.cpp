#include "orchestration/tools/remote_tools.h"

#include <iterator>
#include <optional>
#include <string>
#include <utility>
#include <vector>

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

class RemoteTools final : public ToolSource {
 public:
  explicit RemoteTools(RemoteToolOptions options) : options_(std::move(options)) {}

  void configure(const ToolsFile& file) override {
    http_ = {};
    descriptions_.clear();
    for (const ToolEntry& entry : file.tools) {
      if (const auto* http = std::get_if<HttpEntry>(&entry)) add(*http, file.secrets);
    }
    for (const OpenApiEntry& entry : file.openapi) {
      Description& description = descriptions_.emplace_back();
      description.entry = entry;
      description.secrets = file.secrets;
      read(description);
    }
    combine();
  }

  ToolOffer offer() override {
    bool changed = false;
    for (Description& description : descriptions_) {
      if (!description.try_again || options_.now() < *description.try_again) continue;
      const std::string before = description.problem;
      read(description);
      changed = changed || description.problem != before;
    }
    if (changed) combine();
    return offer_;
  }

 private:
  struct Description {
    OpenApiEntry entry;
    std::vector<std::string> secrets;
    std::vector<ToolPointer> tools;
    std::vector<std::string> skipped;
    std::string problem;
    std::optional<std::chrono::steady_clock::time_point> try_again;

    void take(OpenApiTools found) {
      tools.assign(std::make_move_iterator(found.tools.begin()), std::make_move_iterator(found.tools.end()));
      skipped = std::move(found.skipped);
      problem = std::move(found.problem);
    }
  };

  void add(const HttpEntry& entry, const std::vector<std::string>& secrets) {
    auto made = make_http_tool(spec_of(entry.settings), config_of(entry, secrets), options_.fetcher);
    if (auto* tool = std::get_if<std::unique_ptr<Tool>>(&made)) {
      http_.tools.push_back(std::move(*tool));
      return;
    }
    http_.issues.push_back(issue_at("tools." + entry.settings.name + ".http", ConfigIssue::Severity::error,
                                    std::get<std::string>(std::move(made))));
  }

  void read(Description& description) {
    const OpenApiOptions wanted = options_of(description.entry, description.secrets);
    const bool is_file = description.entry.url.empty();
    const auto deadline = std::chrono::steady_clock::now() + options_.description_timeout;
    description.take(is_file ? read_document(description.entry, wanted)
                             : fetch_openapi(wanted, options_.fetcher, deadline, {}));
    description.try_again.reset();
    if (!description.problem.empty()) description.try_again = options_.now() + options_.retry_pause;
  }

  OpenApiTools read_document(const OpenApiEntry& entry, const OpenApiOptions& wanted) const {
    const TrustedFile document = read_trusted_file(entry.document, kMaxOpenApiBytes);
    if (document.problem.empty()) return read_openapi(document.bytes, wanted, options_.fetcher);
    OpenApiTools nothing;
    nothing.problem = document.problem;
    return nothing;
  }

  void combine() {
    ToolOffer next{.tools = http_.tools, .issues = http_.issues, .version = offer_.version + 1};
    for (const Description& description : descriptions_) {
      next.tools.insert(next.tools.end(), description.tools.begin(), description.tools.end());
      add_issues(description, next.issues);
    }
    offer_ = std::move(next);
  }

  static void add_issues(const Description& description, std::vector<ConfigIssue>& issues) {
    const std::string& place = description.entry.source;
    if (!description.problem.empty())
      issues.push_back(issue_at(place, ConfigIssue::Severity::error, description.problem));
    for (const std::string& sentence : description.skipped)
      issues.push_back(issue_at(place, ConfigIssue::Severity::warning, sentence));
  }

  RemoteToolOptions options_;
  ToolOffer http_;
  std::vector<Description> descriptions_;
  ToolOffer offer_;
};

}  // namespace

std::unique_ptr<ToolSource> make_remote_tools(RemoteToolOptions options) {
  return std::make_unique<RemoteTools>(std::move(options));
}

}  // namespace parley::orchestration::tools
