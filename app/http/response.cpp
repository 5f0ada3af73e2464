#include "app/http/response.h"

#include <array>
#include <charconv>
#include <ctime>

#include "app/http/security_fields.h"

namespace parley::app::http {
namespace {

void add_field(std::string& head, std::string_view name, std::string_view value) {
  head += name;
  head += ": ";
  head += value;
  head += "\r\n";
}

std::string http_date() {
  const std::time_t now = std::time(nullptr);
  std::tm utc{};
  gmtime_r(&now, &utc);
  std::array<char, 40> text{};
  const std::size_t length = std::strftime(text.data(), text.size(), "%a, %d %b %Y %H:%M:%S GMT", &utc);
  return {text.data(), length};
}

}  // namespace

std::string_view reason_phrase(int status) {
  switch (status) {
    case 200:
      return "OK";
    case 204:
      return "No Content";
    case 304:
      return "Not Modified";
    case 400:
      return "Bad Request";
    case 401:
      return "Unauthorized";
    case 403:
      return "Forbidden";
    case 404:
      return "Not Found";
    case 405:
      return "Method Not Allowed";
    case 408:
      return "Request Timeout";
    case 413:
      return "Content Too Large";
    case 414:
      return "URI Too Long";
    case 415:
      return "Unsupported Media Type";
    case 417:
      return "Expectation Failed";
    case 421:
      return "Misdirected Request";
    case 426:
      return "Upgrade Required";
    case 429:
      return "Too Many Requests";
    case 431:
      return "Request Header Fields Too Large";
    case 500:
      return "Internal Server Error";
    case 503:
      return "Service Unavailable";
    case 505:
      return "HTTP Version Not Supported";
    default:
      return "Unknown";
  }
}

std::string write_head(const Response& response, const Framing& framing, std::string_view host) {
  std::string head = "HTTP/1.1 " + std::to_string(response.status) + " ";
  head += reason_phrase(response.status);
  head += "\r\n";
  add_field(head, "Date", http_date());
  if (!response.content_type.empty()) add_field(head, "Content-Type", response.content_type);
  if (framing.content_length) add_field(head, "Content-Length", std::to_string(*framing.content_length));
  if (framing.chunked) add_field(head, "Transfer-Encoding", "chunked");
  add_field(head, "Connection", framing.keep_alive ? "keep-alive" : "close");
  for (const Field& field : response.fields) add_field(head, field.name, field.value);
  for (const Field& field : security_fields(host)) add_field(head, field.name, field.value);
  head += "\r\n";
  return head;
}

std::string write_chunk(std::string_view data) {
  if (data.empty()) return {};
  std::array<char, 16> size{};
  const auto end = std::to_chars(size.data(), size.data() + size.size(), data.size(), 16).ptr;
  std::string chunk(size.data(), end);
  chunk += "\r\n";
  chunk += data;
  chunk += "\r\n";
  return chunk;
}

}  // namespace parley::app::http
