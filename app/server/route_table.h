#pragma once
// Which handler serves which path. Immutable once filled, I/O thread; a refusal is a value.

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/http/dispatcher.h"

namespace parley::app::server {

struct Route {
  std::string path;
  std::vector<std::string> methods;  // GET stands for HEAD too
  http::Handler* handler = nullptr;
  http::Handler* options_handler = nullptr;
  std::size_t max_body = 0;
  bool with_children = false;  // also "<path>/…"
  bool is_page = false;        // for people: links from elsewhere may lead there, refusals are plain text
};

class RouteTable {
 public:
  // `rest` serves GET of all other paths, but those below /v1.
  RouteTable(std::vector<Route> routes, Route rest);

  // The route whose path it is, whatever the method; nullptr: none.
  const Route* find(std::string_view path) const;

 private:
  std::vector<Route> routes_;
  Route rest_;
};

// Method and content type of a request to that route.
std::optional<http::Refusal> check_request(const Route& route, const http::RequestHead& head);

// The methods for an Allow field.
std::string allowed_methods(const Route& route);

}  // namespace parley::app::server
