#include "orchestration/fetch/request_rules.h"

#include <algorithm>
#include <array>

namespace parley::orchestration::fetch {
namespace {

constexpr std::size_t kMaxHeaders = 100;
constexpr std::size_t kMaxHeaderBytes = 65536;
constexpr std::size_t kMaxMethodBytes = 20;

// They frame the message or steer the connection: libcurl's business.
constexpr std::array<std::string_view, 9> kFramingHeaders = {"connection", "content-length",    "expect",
                                                             "host",       "keep-alive",        "te",
                                                             "trailer",    "transfer-encoding", "upgrade"};
constexpr std::array<std::string_view, 3> kMethodsOfProxies = {"CONNECT", "TRACE", "TRACK"};

bool is_token_character(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
         std::string_view("!#$%&'*+-.^_`|~").find(c) != std::string_view::npos;
}

bool is_field_value(std::string_view value) {
  return std::none_of(value.begin(), value.end(),
                      [](unsigned char c) { return (c < 0x20 && c != '\t') || c == 0x7f; });
}

bool is_method(std::string_view method) {
  const auto fits = [](char c) { return (c >= 'A' && c <= 'Z') || c == '-'; };
  return !method.empty() && method.size() <= kMaxMethodBytes &&
         std::all_of(method.begin(), method.end(), fits) &&
         std::find(kMethodsOfProxies.begin(), kMethodsOfProxies.end(), method) == kMethodsOfProxies.end();
}

std::string header_problem(const Header& header) {
  const auto& [name, value] = header;
  if (!is_http_token(name)) return "A header's name is not one that HTTP allows.";
  if (!is_field_value(value)) return "The header " + name + " holds a line break or a control character.";
  if (std::find(kFramingHeaders.begin(), kFramingHeaders.end(), lower_case(name)) != kFramingHeaders.end()) {
    return "The header " + name + " cannot be set: it is part of how messages are framed.";
  }
  return {};
}

}  // namespace

bool is_http_token(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), is_token_character);
}

std::string lower_case(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return lower;
}

std::string_view header_value(const std::vector<Header>& headers, std::string_view name) {
  const auto found = std::find_if(headers.begin(), headers.end(),
                                  [&](const Header& header) { return lower_case(header.first) == name; });
  return found == headers.end() ? std::string_view() : std::string_view(found->second);
}

std::string request_problem(const FetchRequest& request) {
  if (!is_method(request.method)) {
    return "The method \"" + request.method.substr(0, kMaxMethodBytes) + "\" is none that can be sent.";
  }
  std::size_t bytes = 0;
  for (const Header& header : request.headers) {
    if (std::string problem = header_problem(header); !problem.empty()) return problem;
    bytes += header.first.size() + header.second.size();
  }
  if (request.headers.size() > kMaxHeaders || bytes > kMaxHeaderBytes)
    return "The request has too many headers.";
  return {};
}

}  // namespace parley::orchestration::fetch
