#include "orchestration/fetch/request_rules.h"

#include <gtest/gtest.h>

namespace parley::orchestration::fetch {
namespace {

std::string problem_of(const std::string& method, std::vector<Header> headers = {}) {
  FetchRequest request;
  request.method = method;
  request.headers = std::move(headers);
  return request_problem(request);
}

TEST(RequestRulesTest, KnowsMethods) {
  for (const char* method : {"GET", "POST", "PATCH", "PROPFIND", "M-SEARCH"})
    EXPECT_EQ(problem_of(method), "");
  for (const char* method :
       {"", "get", "GET /x HTTP/1.1\r\nX:", "CONNECT", "TRACE", "G\xC3\x84T", "ABCDEFGHIJKLMNOPQRSTU"}) {
    EXPECT_NE(problem_of(method), "") << method;
  }
}

TEST(RequestRulesTest, RefusesNamesAndValuesThatBreakTheFrame) {
  EXPECT_EQ(problem_of("GET", {{"X-A!#$", "any\tvalue \xC3\xA9"}, {"Accept", ""}}), "");
  for (const std::string name : {"", "X A", "X:", "X\r\n", "\xC3\x89"}) {
    EXPECT_NE(problem_of("GET", {{name, "v"}}), "") << name;
  }
  for (const std::string& value :
       {std::string("a\r\nB: c"), std::string("a\n"), std::string("a\0b", 3), std::string("\x7f")}) {
    EXPECT_NE(problem_of("GET", {{"X", value}}), "") << value;
  }
  for (const char* name :
       {"Host", "CONTENT-LENGTH", "Transfer-Encoding", "connection", "Expect", "Upgrade"}) {
    EXPECT_NE(problem_of("GET", {{name, "v"}}).find(name), std::string::npos);
  }
}

TEST(RequestRulesTest, BoundsHeaders) {
  EXPECT_NE(problem_of("GET", std::vector<Header>(101, Header("X", "y"))), "");
  EXPECT_NE(problem_of("GET", {{"X", std::string(70000, 'y')}}), "");
}

TEST(RequestRulesTest, FindsHeadersInAnyCase) {
  const std::vector<Header> headers = {{"A", "1"}, {"Content-TYPE", "x"}, {"content-type", "y"}};
  EXPECT_EQ(header_value(headers, "content-type"), "x");
  EXPECT_EQ(header_value(headers, "b"), "");
}

}  // namespace
}  // namespace parley::orchestration::fetch
