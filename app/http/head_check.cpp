#include "app/http/head_check.h"

#include <algorithm>
#include <array>
#include <string>

namespace parley::app::http {
namespace {

Refusal bad_request(std::string message) { return Refusal{400, std::move(message), {}}; }

bool is_token_character(char c) {
  if ((c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z')) return true;
  return std::string_view("!#$%&'*+-.^_`|~").find(c) != std::string_view::npos;
}

bool is_token(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), is_token_character);
}

bool is_visible_ascii(char c) { return c > 0x20 && c < 0x7f; }

// Control characters smuggle line ends past other programs; bytes above 127 are allowed.
bool is_value_character(char c) { return c == '\t' || (static_cast<unsigned char>(c) >= 0x20 && c != 0x7f); }

std::optional<Refusal> check_request_line(std::string_view line) {
  const auto first = line.find(' ');
  const auto last = line.rfind(' ');
  if (first == std::string_view::npos || first == last) {
    return bad_request("The request line is not METHOD TARGET HTTP/1.1.");
  }
  const std::string_view target = line.substr(first + 1, last - first - 1);
  const std::string_view version = line.substr(last + 1);
  if (!is_token(line.substr(0, first))) return bad_request("The request's method is not a word.");
  if (version != "HTTP/1.1" && version != "HTTP/1.0") {
    if (!version.starts_with("HTTP/"))
      return bad_request("The request line does not end with an HTTP version.");
    return Refusal{505, "This server speaks HTTP/1.1.", {}};
  }
  const bool asterisk = target == "*" && line.starts_with("OPTIONS ");
  if (!asterisk &&
      (!target.starts_with('/') || !std::all_of(target.begin(), target.end(), is_visible_ascii) ||
       target.find('#') != std::string_view::npos)) {
    return bad_request("The request's target must be a path that begins with '/', written in visible ASCII.");
  }
  return std::nullopt;
}

std::optional<Refusal> check_field_line(std::string_view line) {
  const auto colon = line.find(':');
  if (colon == std::string_view::npos || !is_token(line.substr(0, colon))) {
    return bad_request(
        "A header field has no valid name (folded lines and spaces before ':' are not allowed).");
  }
  const std::string_view value = line.substr(colon + 1);
  if (!std::all_of(value.begin(), value.end(), is_value_character)) {
    return bad_request("The value of a header field holds a control character.");
  }
  return std::nullopt;
}

std::size_t count(const RequestHead& head, std::string_view name) {
  return static_cast<std::size_t>(
      std::count_if(head.fields.begin(), head.fields.end(),
                    [&](const Field& field) { return equal_ignoring_case(field.name, name); }));
}

// Said twice, two readers may believe different ones.
constexpr std::array<std::string_view, 14> kSingleFields = {"Host",
                                                            "Content-Length",
                                                            "Transfer-Encoding",
                                                            "Content-Type",
                                                            "Content-Encoding",
                                                            "Authorization",
                                                            "Origin",
                                                            "Sec-Fetch-Site",
                                                            "Sec-Fetch-Mode",
                                                            "Sec-Fetch-Dest",
                                                            "Expect",
                                                            "Sec-WebSocket-Key",
                                                            "Sec-WebSocket-Version",
                                                            "Upgrade"};

std::optional<Refusal> check_framing(const RequestHead& head) {
  static constexpr std::size_t kMaxLengthDigits = 15;
  const std::string* length = head.find("Content-Length");
  const std::string* encoding = head.find("Transfer-Encoding");
  if (length != nullptr && encoding != nullptr) {
    return bad_request("Content-Length and Transfer-Encoding exclude each other.");
  }
  if (encoding != nullptr && head.http_1_0) return bad_request("HTTP/1.0 has no Transfer-Encoding.");
  if (encoding != nullptr && !equal_ignoring_case(*encoding, "chunked")) {
    return bad_request("The only Transfer-Encoding that this server takes is chunked.");
  }
  if (length != nullptr &&
      (length->empty() || length->size() > kMaxLengthDigits ||
       !std::all_of(length->begin(), length->end(), [](char c) { return c >= '0' && c <= '9'; }))) {
    return bad_request("Content-Length is not a number of bytes.");
  }
  return std::nullopt;
}

}  // namespace

std::optional<Refusal> check_head_text(std::string_view head) {
  const auto first_end = head.find("\r\n");
  if (auto refusal = check_request_line(head.substr(0, first_end))) return refusal;
  for (std::size_t begin = first_end + 2; begin < head.size();) {
    const auto end = std::min(head.find("\r\n", begin), head.size());
    if (end == begin) break;
    if (auto refusal = check_field_line(head.substr(begin, end - begin))) return refusal;
    begin = end + 2;
  }
  return std::nullopt;
}

std::optional<Refusal> check_fields(const RequestHead& head) {
  for (const std::string_view name : kSingleFields) {
    if (count(head, name) > 1)
      return bad_request("The header field " + std::string(name) + " is there twice.");
  }
  const std::string* host = head.find("Host");
  if (host == nullptr || host->empty()) return bad_request("The request has no Host field.");
  if (auto refusal = check_framing(head)) return refusal;
  const std::string* coding = head.find("Content-Encoding");
  if (coding != nullptr && !equal_ignoring_case(*coding, "identity")) {
    return Refusal{415, "Compressed request bodies are not taken; send the body as it is.", {}};
  }
  const std::string* expect = head.find("Expect");
  if (expect != nullptr && !equal_ignoring_case(*expect, "100-continue")) {
    return Refusal{417, "The only Expect that this server knows is 100-continue.", {}};
  }
  return std::nullopt;
}

}  // namespace parley::app::http
