#include "app/http/access.h"

#include <gtest/gtest.h>

#include <initializer_list>
#include <string>

namespace parley::app::http {
namespace {

RequestHead head_of(std::initializer_list<Field> fields, const std::string& method = "GET") {
  RequestHead head;
  head.method = method;
  head.path = head.target = "/";
  head.fields = fields;
  return head;
}

int status(const AccessControl& access, const RequestHead& head, bool is_page = false) {
  const auto refusal = access.check(head, is_page);
  return refusal ? refusal->status : 0;
}

const AccessControl& local() {
  static const AccessControl kAccess(
      {.bound_host = "127.0.0.1", .port = 8080, .allowed_hosts = {}, .access_key = {}});
  return kAccess;
}

TEST(AccessTest, AnswersToTheLoopbackNamesWithItsPort) {
  for (const char* host : {"localhost:8080", "LocalHost:8080", "127.0.0.1:8080", "[::1]:8080"}) {
    EXPECT_EQ(status(local(), head_of({{"Host", host}})), 0) << host;
  }
}

TEST(AccessTest, RefusesEveryOtherHost) {
  for (const char* host : {"localhost",
                           "localhost:80",
                           "localhost:8081",
                           "localhost:08080",
                           "localhost:",
                           "localhost:8080 ",
                           "localhost.:8080",
                           "localhost:8080.",
                           "127.0.0.1",
                           "127.0.0.1:808",
                           "127.0.0.1:80800",
                           "127.1:8080",
                           "127.0.0.2:8080",
                           "0.0.0.0:8080",
                           "2130706433:8080",
                           "0x7f.1:8080",
                           "017700000001:8080",
                           "::1:8080",
                           "[::1]",
                           "[::]:8080",
                           "[::ffff:127.0.0.1]:8080",
                           "[0:0:0:0:0:0:0:1]:8080",
                           "[::1%25lo]:8080",
                           "evil.example",
                           "evil.example:8080",
                           "localhost.evil.example:8080",
                           "evil.localhost:8080",
                           "localhost:8080.evil.example",
                           "evil.example#localhost:8080",
                           "localhost:8080@evil.example",
                           "evil@localhost:8080",
                           "localhost:8080/",
                           "localhost:8080,evil",
                           "my.local:8080",
                           "box.internal:8080",
                           "router.lan:8080",
                           "192.168.0.1:8080",
                           "10.0.0.1:8080",
                           "169.254.169.254:8080",
                           "rbndr.us:8080",
                           "7f000001.c0a80001.rbndr.us:8080"}) {
    EXPECT_EQ(status(local(), head_of({{"Host", host}})), 421) << host;
  }
}

TEST(AccessTest, AnswersWithoutThePortOnPort80) {
  const AccessControl access({.bound_host = "127.0.0.1", .port = 80, .allowed_hosts = {}, .access_key = {}});
  EXPECT_EQ(status(access, head_of({{"Host", "localhost"}})), 0);
  EXPECT_EQ(status(access, head_of({{"Host", "localhost:80"}})), 0);
}

TEST(AccessTest, AnswersToTheAddressItListensOn) {
  const AccessControl v4({.bound_host = "192.168.1.5", .port = 8080, .allowed_hosts = {}, .access_key = {}});
  EXPECT_EQ(status(v4, head_of({{"Host", "192.168.1.5:8080"}})), 0);
  const AccessControl v6({.bound_host = "fd00::5", .port = 8080, .allowed_hosts = {}, .access_key = {}});
  EXPECT_EQ(status(v6, head_of({{"Host", "[fd00::5]:8080"}})), 0);
  const AccessControl all({.bound_host = "0.0.0.0", .port = 8080, .allowed_hosts = {}, .access_key = {}});
  EXPECT_EQ(status(all, head_of({{"Host", "0.0.0.0:8080"}})), 421);
}

TEST(AccessTest, AnswersToAllowedNames) {
  const AccessControl access({.bound_host = "127.0.0.1",
                              .port = 8080,
                              .allowed_hosts = {"Chat.Example", "dev:3000"},
                              .access_key = {}});
  for (const char* host : {"chat.example", "CHAT.example:8080", "dev:3000"}) {
    EXPECT_EQ(status(access, head_of({{"Host", host}})), 0) << host;
  }
  for (const char* host : {"chat.example:81", "a.chat.example", "dev", "dev:8080", "dev:3001"}) {
    EXPECT_EQ(status(access, head_of({{"Host", host}})), 421) << host;
  }
}

TEST(AccessTest, TakesRequestsOfItsOwnPages) {
  EXPECT_EQ(
      status(local(), head_of({{"Host", "localhost:8080"}, {"Origin", "http://localhost:8080"}}, "POST")), 0);
  EXPECT_EQ(status(local(), head_of({{"Host", "[::1]:8080"},
                                     {"Origin", "http://[::1]:8080"},
                                     {"Sec-Fetch-Site", "same-origin"}})),
            0);
  EXPECT_EQ(status(local(), head_of({{"Host", "localhost:8080"}, {"Sec-Fetch-Site", "none"}})), 0);
}

TEST(AccessTest, RefusesEveryOtherOrigin) {
  for (const char* origin : {"",
                             "null",
                             "*",
                             "localhost:8080",
                             "//localhost:8080",
                             "http://localhost",
                             "http://localhost:80",
                             "http://localhost:8081",
                             "http://localhost:8080/",
                             "http://localhost:8080.evil.example",
                             "http://localhost:80801",
                             "https://localhost:8080",
                             "HTTP://localhost:8080",
                             "ws://localhost:8080",
                             "file://",
                             "file://localhost:8080",
                             "http://127.0.0.1:8080",
                             "http://[::1]:8080",
                             "http://evil.example",
                             "http://evil.example:8080",
                             "http://localhost:8080@evil.example",
                             "http://evil@localhost:8080",
                             "http://localhost.evil.example:8080",
                             "http://evillocalhost:8080",
                             "http://xn--localhost:8080",
                             "http://LOCALHOST:8080",
                             "http://localhost%3A8080",
                             "http://localhost:8080 http://evil.example",
                             "http://evil.example http://localhost:8080",
                             "chrome-extension://abcdefgh",
                             "moz-extension://abcdefgh",
                             "data:text/html,x",
                             "about:blank",
                             "blob:http://localhost:8080",
                             " http://localhost:8080",
                             "http://localhost:8080 ",
                             "http://0.0.0.0:8080",
                             "http://127.0.0.1.nip.io:8080",
                             "http://127.1:8080",
                             "http://2130706433:8080",
                             "http://[::ffff:7f00:1]:8080",
                             "http:localhost:8080",
                             "http:/localhost:8080",
                             "http:///localhost:8080",
                             "http://localhost::8080",
                             "http://localhost:8080:8080",
                             "http://localhost:8080?x",
                             "http://localhost:8080#x",
                             "http://localhost:8080\\.evil.example",
                             "http://192.168.0.1:8080",
                             "http://10.0.0.1",
                             "https://chat.example",
                             "app://localhost:8080",
                             "vscode-webview://x",
                             "http://localhost:8080,http://localhost:8080",
                             "undefined",
                             "true",
                             "http://*:8080",
                             "http://:8080",
                             "8080",
                             "http://localhost:8o80"}) {
    EXPECT_EQ(status(local(), head_of({{"Host", "localhost:8080"}, {"Origin", origin}})), 403) << origin;
  }
}

TEST(AccessTest, RefusesOtherSites) {
  for (const char* site : {"cross-site", "same-site", "", "Same-Origin", "same-origin, none", "x"}) {
    EXPECT_EQ(status(local(), head_of({{"Host", "localhost:8080"}, {"Sec-Fetch-Site", site}})), 403) << site;
  }
  EXPECT_EQ(status(local(), head_of({{"Host", "localhost:8080"}, {"Sec-Fetch-Site", "none"}}, "POST")), 403);
}

TEST(AccessTest, LetsALinkOnAnotherSiteOpenThePageButNothingElse) {
  const auto opening = head_of({{"Host", "localhost:8080"},
                                {"Sec-Fetch-Site", "cross-site"},
                                {"Sec-Fetch-Mode", "navigate"},
                                {"Sec-Fetch-Dest", "document"}});
  EXPECT_EQ(status(local(), opening, /*is_page=*/true), 0);
  EXPECT_EQ(status(local(), opening, /*is_page=*/false), 403);
  auto framed = opening;
  framed.fields[3].value = "iframe";
  EXPECT_EQ(status(local(), framed, /*is_page=*/true), 403);
  auto posted = opening;
  posted.method = "POST";
  EXPECT_EQ(status(local(), posted, /*is_page=*/true), 403);
}

TEST(AccessTest, TakesHttpsOnlyForNamesThatAProxyServes) {
  const AccessControl access(
      {.bound_host = "127.0.0.1", .port = 8080, .allowed_hosts = {"chat.example"}, .access_key = {}});
  EXPECT_EQ(status(access, head_of({{"Host", "chat.example"}, {"Origin", "https://chat.example"}})), 0);
  EXPECT_EQ(status(access, head_of({{"Host", "chat.example"}, {"Origin", "https://chat.example:444"}})), 403);
  EXPECT_EQ(status(access, head_of({{"Host", "localhost:8080"}, {"Origin", "https://localhost:8080"}})), 403);
}

TEST(AccessTest, AsksForTheKey) {
  const AccessControl access(
      {.bound_host = "127.0.0.1", .port = 8080, .allowed_hosts = {}, .access_key = "s3cret key"});
  const auto with = [](const std::string& authorization) {
    return head_of({{"Host", "localhost:8080"}, {"Authorization", authorization}});
  };
  EXPECT_EQ(status(access, with("Bearer s3cret key")), 0);
  EXPECT_EQ(status(access, with("bearer s3cret key")), 0);
  EXPECT_EQ(status(access, head_of({{"Host", "localhost:8080"}}), /*is_page=*/true), 401);
  for (const char* wrong :
       {"", "Bearer", "Bearer ", "Bearer s3cret", "Bearer s3cret keys3cret key", "Bearer S3cret key",
        "Bearer  s3cret key", "Basic s3cret key", "s3cret key", "Bearer s3cret key "}) {
    EXPECT_EQ(status(access, with(wrong)), 401) << wrong;
  }
  const auto refusal = access.check(with("Bearer no"), /*is_page=*/false);
  EXPECT_EQ(refusal->message.find("s3cret"), std::string::npos);
}

TEST(AccessTest, ComparesWholeTexts) {
  EXPECT_TRUE(equal_in_constant_time("abc", "abc"));
  EXPECT_FALSE(equal_in_constant_time("abc", "ab"));
  EXPECT_FALSE(equal_in_constant_time("abc", "abcabc"));
  EXPECT_FALSE(equal_in_constant_time("abc", ""));
  EXPECT_FALSE(equal_in_constant_time("", "a"));
}

}  // namespace
}  // namespace parley::app::http
