#include "orchestration/tools/read_headers.h"

#include <algorithm>
#include <map>
#include <utility>

#include "orchestration/fetch/request_rules.h"
#include "orchestration/mcp/base64.h"
#include "orchestration/tools/http_tool_url.h"

namespace parley::orchestration::tools {
namespace {

bool is_field_value(std::string_view value) {
  return std::none_of(value.begin(), value.end(),
                      [](char c) { return (c >= 0 && c < ' ' && c != '\t') || c == 127; });
}

// Also without the scheme in front: it is the token that must not be shown.
void remember_credentials(EntryReader& reader, const std::string& name, const std::string& value) {
  if (!is_secret_name(name)) return;
  reader.state().variables.add_secret(value);
  const std::size_t space = value.find(' ');
  if (space != std::string::npos) reader.state().variables.add_secret(value.substr(space + 1));
}

}  // namespace

std::string read_url(EntryReader& reader, std::string_view key) {
  std::string url = reader.text(key).value_or("");
  if (reader.refused()) return url;
  const bool http = url.substr(0, 7) == "http://" || url.substr(0, 8) == "https://";
  const bool clean =
      std::none_of(url.begin(), url.end(), [](char c) { return (c >= 0 && c <= ' ') || c == 127; });
  if (!http || !clean || url.size() == url.find("://") + 3) {
    reader.refuse(key, "expected an address that begins with http:// or https://, without spaces");
  } else if (has_user(url)) {
    reader.refuse(
        key,
        "a user name or password in an address would be shown wherever the address is; put it into a "
        "header: \"Authorization\": \"Basic ${env:CREDENTIALS}\" (base64 of user:password)");
  }
  return url;
}

std::vector<HttpHeader> read_headers(EntryReader& reader, std::string_view key) {
  std::vector<HttpHeader> headers;
  for (auto& [name, value] : reader.text_map(key)) {
    if (!fetch::is_http_token(name) || !is_field_value(value)) {
      reader.refuse(key, "\"" + name + "\" is no header field that can be sent");
      break;
    }
    remember_credentials(reader, name, value);
    headers.emplace_back(name, std::move(value));
  }
  return headers;
}

std::vector<HttpHeader> read_auth(EntryReader& reader, std::string_view key) {
  const auto* object = reader.object(key);
  if (object == nullptr) return {};
  EntryReader fields(reader.state(), *object, ObjectKind::auth, reader.place_of(key));
  std::vector<HttpHeader> headers = read_headers(fields, "header");
  for (const auto& [name, value] : headers) reader.state().variables.add_secret(value);
  if (const auto token = fields.text("bearer")) headers.emplace_back("Authorization", "Bearer " + *token);
  for (const auto& [user, password] : fields.text_map("basic")) {
    reader.state().variables.add_secret(password);
    std::string credentials = user;
    credentials += ':';
    credentials += password;
    headers.emplace_back("Authorization", "Basic " + mcp::to_base64(credentials));
  }
  for (const auto& [name, value] : headers) {
    remember_credentials(reader, name, value);
    if (!is_field_value(value)) fields.refuse("", "a value holds a line break or another control character");
  }
  if (fields.refused()) reader.refuse_quietly();
  return headers;
}

}  // namespace parley::orchestration::tools
