#include "orchestration/fetch/redirect.h"

#include <gtest/gtest.h>

#include <map>
#include <variant>

#include "tests/orchestration/fetch/fetch_helper.h"

namespace parley::orchestration::fetch {
namespace {

using End = FetchResponse::End;

Hop hop_from(const std::string& url, const std::string& method = "GET", std::string_view body = {}) {
  return Hop{.url = std::get<Url>(Url::parse(url)),
             .method = method,
             .headers = {{"Authorization", "Bearer k"}, {"Content-Type", "text/plain"}},
             .body = body};
}

TEST(RedirectTest, ChangesTheMethodAsBrowsersDo) {
  const std::map<std::string, std::map<int, std::string>> expected = {
      {"GET", {{301, "GET"}, {302, "GET"}, {303, "GET"}, {307, "GET"}, {308, "GET"}}},
      {"HEAD", {{301, "HEAD"}, {302, "HEAD"}, {303, "HEAD"}, {307, "HEAD"}, {308, "HEAD"}}},
      {"POST", {{301, "GET"}, {302, "GET"}, {303, "GET"}, {307, "POST"}, {308, "POST"}}},
      {"PUT", {{301, "PUT"}, {302, "PUT"}, {303, "GET"}, {307, "PUT"}, {308, "PUT"}}},
      {"DELETE", {{301, "DELETE"}, {302, "DELETE"}, {303, "GET"}, {307, "DELETE"}, {308, "DELETE"}}}};
  for (const auto& [method, outcomes] : expected) {
    for (const auto& [status, outcome] : outcomes) {
      Hop hop = hop_from("http://a.example/x", method, "body");
      EXPECT_EQ(follow_redirect(hop, status, "/y"), "");
      EXPECT_EQ(hop.method, outcome) << method << " " << status;
      EXPECT_EQ(hop.body.empty(), outcome != method) << method << " " << status;
      EXPECT_EQ(hop.headers.size(), outcome == method ? 2U : 1U) << method << " " << status;
      EXPECT_EQ(hop.url.text(), "http://a.example/y");
    }
  }
}

TEST(RedirectTest, LeavesHeadersBehindWhenTheOriginChanges) {
  for (const char* location : {"http://b.example/", "//b.example/x", "http://a.example:81/",
                               "https://a.example/", "http://a.example./", "http://sub.a.example/"}) {
    Hop hop = hop_from("http://a.example/");
    EXPECT_EQ(follow_redirect(hop, 302, location), "") << location;
    EXPECT_TRUE(hop.headers.empty()) << location;
    EXPECT_EQ(follow_redirect(hop, 302, hop.url.is_https() ? "https://a.example/" : "http://a.example/"), "");
    EXPECT_TRUE(hop.headers.empty()) << "headers do not come back";
  }
  for (const char* location : {"http://a.example/b", "HTTP://A.EXAMPLE:80/", "?c", "//a.example/"}) {
    Hop hop = hop_from("http://a.example/");
    EXPECT_EQ(follow_redirect(hop, 302, location), "") << location;
    EXPECT_EQ(hop.headers.size(), 2U) << location;
  }
}

TEST(RedirectTest, HandsABodyToNoOtherOrigin) {
  for (const int status : {307, 308}) {
    Hop hop = hop_from("http://a.example/", "POST", "secret");
    EXPECT_NE(follow_redirect(hop, status, "http://b.example/").find("body"), std::string::npos);
  }
  Hop hop = hop_from("http://a.example/", "POST", "secret");
  EXPECT_EQ(follow_redirect(hop, 303, "http://b.example/"), "");
  EXPECT_TRUE(hop.body.empty());
}

TEST(RedirectTest, NeverGoesFromHttpsToHttp) {
  Hop hop = hop_from("https://a.example/");
  EXPECT_NE(follow_redirect(hop, 302, "http://a.example/").find("not encrypted"), std::string::npos);
  EXPECT_EQ(follow_redirect(hop, 302, "https://b.example/"), "");
}

TEST(RedirectTest, GoesToHttpAndHttpsOnly) {
  for (const char* location :
       {"file:///etc/passwd", "gopher://b.example/", "dict://b.example:11211/", "ftp://b.example/",
        "javascript:alert(1)", "data:text/plain,x", "http://user:pw@b.example/", "http://"}) {
    Hop hop = hop_from("http://a.example/");
    const std::string problem = follow_redirect(hop, 302, location);
    // What libcurl takes for a path of the same host leads nowhere else.
    EXPECT_TRUE(!problem.empty() || hop.url.origin() == "http://a.example") << location;
  }
}

LocalServer::Answer moves_to(int status, const std::string& location) {
  return [=](Connection& connection, const std::string& request) {
    connection.write(path_of(request) == "/" ? redirect_answer(status, location) : http_answer("there"));
  };
}

TEST(RedirectTest, IsFollowedWithHeadersOnTheSameOrigin) {
  LocalServer server(moves_to(307, "there"));
  FetchRequest request = request_to(server);
  request.method = "POST";
  request.headers = {{"Authorization", "Bearer k"}};
  request.body = "data";
  const FetchResponse response = fetched(request);
  EXPECT_EQ(response.body, "there");
  EXPECT_EQ(response.url, server.origin() + "/there");
  EXPECT_NE(server.requests().at(1).find("Authorization: Bearer k"), std::string::npos);
  EXPECT_TRUE(server.requests().at(1).ends_with("\r\n\r\ndata"));
}

TEST(RedirectTest, TakesNoCredentialsToAnotherOrigin) {
  LocalServer other(always(http_answer("other")));
  LocalServer server(moves_to(302, other.origin() + "/"));
  FetchRequest request = request_to(server);
  request.trusted_origins.push_back(other.origin());
  request.headers = {{"Authorization", "Bearer k"}, {"X-Api-Key", "k"}, {"Cookie", "k"}};
  EXPECT_EQ(fetched(request).body, "other");
  for (const char* name : {"Authorization", "X-Api-Key", "Cookie"}) {
    EXPECT_EQ(other.requests().at(0).find(name), std::string::npos) << name;
  }
}

TEST(RedirectTest, GivesOnlyTheFinalAnswerToConsumers) {
  LocalServer server(moves_to(302, "/there"));
  FetchRequest request = request_to(server);
  std::string log;
  request.on_head = [&](int status, const std::vector<Header>&) { log += std::to_string(status); };
  request.on_body = [&](std::string_view chunk) {
    log += chunk;
    return true;
  };
  EXPECT_EQ(fetched(request).end, End::complete);
  EXPECT_EQ(log, "200there");
}

TEST(RedirectTest, EndsInALoop) {
  LocalServer server(always(redirect_answer(302, "/again")));
  FetchRequest request = request_to(server);
  request.max_redirects = 3;
  const FetchResponse response = fetched(request);
  EXPECT_EQ(response.end, End::refused);
  EXPECT_NE(response.error.find("more than 3 times"), std::string::npos);
  EXPECT_EQ(server.hits(), 4);
}

TEST(RedirectTest, IsAnAnswerLikeAnyOtherWhenNotToBeFollowed) {
  LocalServer server(always(redirect_answer(302, "/again")));
  FetchRequest request = request_to(server);
  request.max_redirects = 0;
  const FetchResponse response = fetched(request);
  EXPECT_EQ(response.end, End::complete);
  EXPECT_EQ(response.status, 302);
  EXPECT_EQ(response.body, "moved");
}

TEST(RedirectTest, WithoutALocationIsAnAnswer) {
  LocalServer server(always(http_answer("choose", "", "302 Found")));
  EXPECT_EQ(fetched(request_to(server)).body, "choose");
}

}  // namespace
}  // namespace parley::orchestration::fetch
