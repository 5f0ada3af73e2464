#pragma once
// A tool that is one HTTP request: a URL with {placeholders}, and a place for every other argument. What a
// model supplies can fill in values, never change the host, the path's structure or a header's end. Immutable
// after construction, any thread, several calls at once; what fails is a result.

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "inference/json/json.h"
#include "orchestration/fetch/fetch.h"
#include "orchestration/tools/tool.h"

namespace parley::orchestration::tools {

enum class HttpBody : std::uint8_t {
  by_method,  // POST, PUT and PATCH: json; others: none
  none,
  json,         // an object of the arguments that go there
  json_if_any,  // the same, but no body where no argument goes there
  form,         // the same, as application/x-www-form-urlencoded
  filled,       // body_template
};

enum class HttpPlace : std::uint8_t { query, header, body, whole_body };

struct HttpArgument {
  std::string name;     // among the tool's arguments
  std::string sent_as;  // the name that the server knows it by
  HttpPlace place = HttpPlace::query;
};

// Who wrote the URL. What an operator's own file says may be a private address.
enum class UrlAuthor : std::uint8_t { operators_file, somebody_else };

struct HttpToolConfig {
  std::string method = "GET";
  std::string url{};  // "https://api.example/users/{id}?part={part}"
  UrlAuthor url_author = UrlAuthor::operators_file;
  std::vector<fetch::Header> headers{};  // may hold secrets: never shown
  HttpBody body = HttpBody::by_method;
  // With HttpBody::filled. A string "{name}" is replaced by the argument itself, and left out with its key
  // where that is absent; a {name} within other text by its text. {{name}} stands for the characters, and
  // what no parameter is called stays as it is. A template that is a string is sent as text.
  inference::json::JsonValue body_template{};
  std::vector<std::string> properties{};  // the names of the parameters; set by make_http_tool
  // Those that go elsewhere than by default, which is the body where there is one, and else the query.
  std::vector<HttpArgument> arguments{};
  std::optional<std::chrono::milliseconds> timeout{};  // none: the call's own limit alone
  std::size_t max_output = 65536;                      // bytes of text
  std::vector<std::string> secrets{};                  // values never to be shown
};

// `spec.source` is kept; `spec.definition_hash` and `spec.timeout` are set here. A string says why there can
// be no such tool.
std::variant<std::unique_ptr<Tool>, std::string> make_http_tool(
    ToolSpec spec, HttpToolConfig config, std::shared_ptr<const fetch::Fetcher> fetcher);

}  // namespace parley::orchestration::tools
