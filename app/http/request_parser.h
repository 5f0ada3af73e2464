#pragma once
// One HTTP/1.1 request from bytes, without sockets: strict checks, then Beast's parser. Used by one thread.
// Bad input is a Refusal value. One of three sources that know Beast (the others are web_socket.cpp and
// cmake/boost_sources.cpp).

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "app/http/limits.h"
#include "app/http/request.h"
#include "app/http/response.h"

namespace parley::app::http {

class RequestParser {
 public:
  virtual ~RequestParser() = default;

  // `text` is a whole head with its empty line.
  virtual std::optional<Refusal> parse_head(std::string_view text) = 0;
  virtual const RequestHead& head() const = 0;

  // The route is known now and takes so many bytes. Refused when more are announced.
  virtual std::optional<Refusal> limit_body(std::size_t max_bytes) = 0;
  // Takes bytes of the body and says how many it has used; the rest must come again, with more behind it.
  virtual std::variant<std::size_t, Refusal> feed(std::string_view bytes) = 0;
  virtual bool done() const = 0;
  virtual std::string take_body() = 0;
};

std::unique_ptr<RequestParser> make_request_parser(const HttpLimits& limits);

}  // namespace parley::app::http
