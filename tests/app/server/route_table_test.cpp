#include "app/server/route_table.h"

#include <gtest/gtest.h>

namespace parley::app::server {
namespace {

Route route(std::string path, std::vector<std::string> methods) {
  Route result;
  result.path = std::move(path);
  result.methods = std::move(methods);
  return result;
}

RouteTable table() {
  std::vector<Route> routes = {route("/v1/models", {"GET"}), route("/v1/chat", {"POST"}),
                               route("/health", {"GET"})};
  routes.front().with_children = true;
  return RouteTable(std::move(routes), route("/", {"GET"}));
}

std::string found(std::string_view path) {
  static const RouteTable kTable = table();
  const Route* result = kTable.find(path);
  return result == nullptr ? "none" : result->path;
}

TEST(RouteTableTest, FindsARouteByItsWholePath) {
  EXPECT_EQ(found("/health"), "/health");
  EXPECT_EQ(found("/v1/chat"), "/v1/chat");
  EXPECT_EQ(found("/v1/models"), "/v1/models");
  EXPECT_EQ(found("/v1/models/"), "/v1/models");
  EXPECT_EQ(found("/v1/models/a/b"), "/v1/models");
}

TEST(RouteTableTest, TheRestIsTheUisButNothingBelowV1) {
  for (const char* path : {"/", "/healthy", "/health/", "/v10", "/c/1", "", "/V1/chat"}) {
    EXPECT_EQ(found(path), "/") << path;
  }
  for (const char* path : {"/v1", "/v1/", "/v1/none", "/v1/chat/", "/v1/modelsx"}) {
    EXPECT_EQ(found(path), "none") << path;
  }
}

// The status of the refusal, 0 when the request may pass.
int checked(const Route& to, const std::string& method, const char* type = nullptr) {
  http::RequestHead head;
  head.method = method;
  if (type != nullptr) head.fields.push_back({"content-type", type});
  const auto refusal = check_request(to, head);
  return refusal ? refusal->status : 0;
}

TEST(RouteTableTest, ChecksTheMethod) {
  const Route reading = route("/a", {"GET"});
  const Route both = route("/b", {"GET", "POST"});
  EXPECT_EQ(allowed_methods(reading), "OPTIONS, GET, HEAD");
  EXPECT_EQ(allowed_methods(both), "OPTIONS, GET, HEAD, POST");
  for (const char* method : {"GET", "HEAD", "OPTIONS"}) EXPECT_EQ(checked(reading, method), 0) << method;
  for (const char* method : {"POST", "PUT", "get", "TRACE", ""}) {
    EXPECT_EQ(checked(reading, method), 405) << method;
  }
  http::RequestHead head;
  head.method = "PUT";
  EXPECT_EQ(check_request(both, head)->fields.at(0).value, "OPTIONS, GET, HEAD, POST");
}

TEST(RouteTableTest, TakesBodiesOfJsonOnly) {
  const Route posted = route("/a", {"POST"});
  for (const char* type : {"application/json", "Application/JSON", "application/json ; charset=utf-8"}) {
    EXPECT_EQ(checked(posted, "POST", type), 0) << type;
  }
  EXPECT_EQ(checked(posted, "POST"), 415);
  for (const char* type : {"", "text/plain", "application/jsonx", "text/application/json", "application"}) {
    EXPECT_EQ(checked(posted, "POST", type), 415) << type;
  }
}

}  // namespace
}  // namespace parley::app::server
