#pragma once
// What is sent back, and how its head is written. Plain data and functions, any thread; never fails.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/http/request.h"

namespace parley::app::http {

struct Response {
  int status = 200;
  std::string content_type;  // empty: no body
  std::vector<Field> fields;
  std::string body;
};

// Why a request is not served: a status and a sentence for a person.
struct Refusal {
  int status = 400;
  std::string message;
  std::vector<Field> fields;  // for example Retry-After, Allow
};

std::string_view reason_phrase(int status);

// How the end of the body is told.
struct Framing {
  std::optional<std::uint64_t> content_length;  // absent: chunked, or to the connection's end
  bool chunked = false;
  bool keep_alive = false;
};

// Status line, fields, the security fields that every response has, and the empty line. `host` is the
// request's checked Host, empty when there is none.
std::string write_head(const Response& response, const Framing& framing, std::string_view host);

// Empty `data` gives nothing: an empty chunk would end the body.
std::string write_chunk(std::string_view data);
inline constexpr std::string_view kLastChunk = "0\r\n\r\n";

}  // namespace parley::app::http
