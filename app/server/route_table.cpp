#include "app/server/route_table.h"

#include <algorithm>
#include <utility>

namespace parley::app::server {
namespace {

constexpr std::string_view kApi = "/v1";

bool is_below(std::string_view path, std::string_view parent) {
  return path.size() > parent.size() && path.starts_with(parent) && path[parent.size()] == '/';
}

bool allows(const Route& route, const std::string& method) {
  const std::string& wanted = method == "HEAD" ? "GET" : method;
  return std::find(route.methods.begin(), route.methods.end(), wanted) != route.methods.end();
}

bool is_json(const std::string* type) {
  if (type == nullptr) return false;
  const std::string_view essence = std::string_view(*type).substr(0, type->find(';'));
  return http::equal_ignoring_case(essence.substr(0, essence.find_last_not_of(" \t") + 1),
                                   "application/json");
}

}  // namespace

RouteTable::RouteTable(std::vector<Route> routes, Route rest)
    : routes_(std::move(routes)), rest_(std::move(rest)) {}

const Route* RouteTable::find(std::string_view path) const {
  for (const Route& route : routes_) {
    if (path == route.path || (route.with_children && is_below(path, route.path))) return &route;
  }
  return path == kApi || is_below(path, kApi) ? nullptr : &rest_;
}

std::string allowed_methods(const Route& route) {
  std::string list = "OPTIONS";
  for (const std::string& method : route.methods) list += method == "GET" ? ", GET, HEAD" : ", " + method;
  return list;
}

std::optional<http::Refusal> check_request(const Route& route, const http::RequestHead& head) {
  if (head.method == "OPTIONS") return std::nullopt;
  if (!allows(route, head.method)) {
    return http::Refusal{
        405, "This address does not take " + head.method + " requests.", {{"Allow", allowed_methods(route)}}};
  }
  if (head.method == "POST" && !is_json(head.find("Content-Type"))) {
    return http::Refusal{415, "Send the body as JSON, with \"Content-Type: application/json\".", {}};
  }
  return std::nullopt;
}

}  // namespace parley::app::server
