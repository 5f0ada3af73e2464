#include "orchestration/tools/http_tool_url.h"

#include <gtest/gtest.h>

#include <variant>

#include "orchestration/fetch/url.h"
#include "tests/orchestration/tools/http_fixture.h"

namespace parley::orchestration::tools {
namespace {

using inference::json::JsonObject;

TEST(HttpToolUrlTest, FillsPathAndQuery) {
  const FilledUrl filled = fill_url("http://a.example/users/{id}/x-{part}?q={q}&r={gone}&n={n}",
                                    arguments_of(R"({"id":7,"part":"a b","q":"M\u00fcnchen & Co","n":1.5})"));
  EXPECT_EQ(filled.problem, "");
  EXPECT_EQ(filled.url, "http://a.example/users/7/x-a%20b?q=M%C3%BCnchen%20%26%20Co&r=&n=1.5");
}

// Values that try to leave their place. Whatever they are, host and number of path segments stay.
TEST(HttpToolUrlTest, NoValueChangesHostOrStructure) {
  for (const std::string value : {"a/b",
                                  "../x",
                                  "..",
                                  ".",
                                  "a/../b",
                                  "..\\x",
                                  "%2e%2e",
                                  "%2F",
                                  "?x=1",
                                  "#x",
                                  "a?b#c",
                                  "\r\nHost: evil",
                                  "@evil.example",
                                  "//evil.example",
                                  "http://evil.example/",
                                  ":80",
                                  "\\\\evil",
                                  "a&b=c",
                                  "{id}",
                                  "",
                                  "\xC3\xA9",
                                  "\xFF",
                                  "a;b",
                                  " ",
                                  "...",
                                  "x..",
                                  "./",
                                  "/.."}) {
    JsonObject arguments;
    arguments["id"] = value;
    const FilledUrl filled = fill_url("http://a.example/v1/{id}/end?q={id}", arguments);
    if (!filled.problem.empty()) continue;
    const fetch::ParsedUrl parsed = fetch::Url::parse(filled.url);
    ASSERT_TRUE(std::holds_alternative<fetch::Url>(parsed)) << filled.url;
    const fetch::Url& url = std::get<fetch::Url>(parsed);
    EXPECT_EQ(url.origin(), "http://a.example");
    EXPECT_EQ(url.text(), filled.url) << "libcurl sees nothing to tidy up";
    const std::string path = url.text().substr(0, url.text().find('?'));
    EXPECT_EQ(std::count(path.begin(), path.end(), '/'), 5) << url.text();
    EXPECT_TRUE(path.ends_with("/end"));
    EXPECT_EQ(std::count(filled.url.begin(), filled.url.end(), '&'), 0);
  }
}

TEST(HttpToolUrlTest, RefusesValuesThatCannotBeAPartOfThePath) {
  for (const char* arguments :
       {"{}", R"({"id":null})", R"({"id":""})", R"({"id":"."})", R"({"id":".."})", R"({"id":"a/../b"})",
        R"({"id":"..\\b"})", R"({"id":{}})", R"({"id":["a"]})"}) {
    EXPECT_NE(fill_url("http://a.example/{id}", arguments_of(arguments)).problem.find("\"id\""),
              std::string::npos)
        << arguments;
  }
  EXPECT_EQ(fill_url("http://a.example/{id}", arguments_of(R"({"id":false})")).url, "http://a.example/false");
}

TEST(HttpToolUrlTest, EncodesAsTheStandardSays) {
  std::string all;
  for (int c = 0; c < 256; ++c) all += static_cast<char>(c);
  const std::string encoded = percent_encoded(all);
  EXPECT_EQ(encoded.size(), 66 + (256 - 66) * 3U);
  EXPECT_EQ(percent_encoded("AZaz09-._~"), "AZaz09-._~");
  EXPECT_EQ(percent_encoded("/?#[]@!$&'()*+,;=%"), "%2F%3F%23%5B%5D%40%21%24%26%27%28%29%2A%2B%2C%3B%3D%25");
}

TEST(HttpToolUrlTest, SaysWhyATemplateIsNone) {
  EXPECT_EQ(url_template_problem("https://a.example"), "");
  EXPECT_EQ(url_template_problem("http://127.0.0.1:80/{a}/{b.c}?{d}"), "");
  for (const char* url :
       {"", "a.example/{x}", "ftp://a.example/", "http://{host}/", "http://a.{x}.example/",
        "http://a.example:{p}/", "http://{user}@a.example/", "http://a.example/{", "http://a.example/}",
        "http://a.example/{}", "http://a.example/{a b}", "http://a.example/{a{b}}", "http://a.example/#{x}",
        "http://a.example\\{x}", "https://{x}?", "HTTP://a.example/"}) {
    EXPECT_NE(url_template_problem(url), "") << url;
  }
  EXPECT_NE(url_template_problem("http://ada:lovelace@a.example/").find("user name"), std::string::npos);
  EXPECT_EQ(url_template_problem("http://a.example/@{x}?to=a@b"), "");
  EXPECT_EQ(url_origin("https://a.example:8443/x?y"), "https://a.example:8443");
  EXPECT_EQ(url_origin("https://a.example?y"), "https://a.example");
}

TEST(HttpToolUrlTest, RepeatsAPairForEachElementOfAnArray) {
  std::string pairs;
  append_pair(pairs, "a b", json_of(R"(["x", 1, null, true, {"c": "d"}, ["lost"]])"));
  append_pair(pairs, "n", json_of("null"));
  append_pair(pairs, "z", json_of("\"&=\""));
  EXPECT_EQ(pairs, "a%20b=x&a%20b=1&a%20b=true&a%20b=%7B%22c%22%3A%22d%22%7D&z=%26%3D");
}

}  // namespace
}  // namespace parley::orchestration::tools
