#pragma once
// URLs with {placeholders} behind the host, filled in by a model's arguments, each value percent-encoded
// whole. Pure, any thread; what is wrong is a sentence.

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "inference/json/json.h"

namespace parley::orchestration::tools {

// The names between the braces, in order.
std::vector<std::string> url_placeholders(std::string_view url_template);

// "https://api.example:8443" of "https://api.example:8443/users/{id}".
std::string_view url_origin(std::string_view url_template);

// "http://ada:secret@api.example/": such a URL is refused, since addresses are shown.
bool has_user(std::string_view url_template);

// Why this is no template; empty: it is one.
std::string url_template_problem(std::string_view url_template);

struct FilledUrl {
  std::string url;
  std::string problem;  // not empty: a sentence for the model, and nothing is to be sent
};

// In the path a value must be there, not empty, and may name no parent folder; in the query it may be absent.
FilledUrl fill_url(std::string_view url_template, const inference::json::JsonObject& arguments);

// All but RFC 3986's unreserved characters as %XX.
std::string percent_encoded(std::string_view text);

// Appends "name=value" (for an array one each; nothing for null) to a query or a form.
void append_pair(std::string& pairs, std::string_view name, const inference::json::JsonValue& value);

}  // namespace parley::orchestration::tools
