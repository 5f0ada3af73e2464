#pragma once
// What connections ask the layer above: who serves a request, and how refusals look. Lives on the I/O thread;
// an exception out of it ends that one connection.

#include <cstddef>
#include <string_view>
#include <variant>

#include "app/http/exchange.h"

namespace parley::app::http {

struct Admission {
  Handler* handler = nullptr;  // outlives the request
  std::size_t max_body = 0;
};

class Dispatcher {
 public:
  virtual ~Dispatcher() = default;
  // Before the body is read.
  virtual std::variant<Admission, Refusal> admit(const RequestHead& head) = 0;
  // `head` is nullptr when it could not be read.
  virtual Response render(const Refusal& refusal, const RequestHead* head) = 0;
  // A response was sent; for counting. Status 101: a WebSocket.
  virtual void on_response(int status) = 0;
  // A handler, or a whole connection, ended by an exception; the head is empty when none was read.
  virtual void on_failure(const RequestHead& head, std::string_view what) = 0;
};

}  // namespace parley::app::http
