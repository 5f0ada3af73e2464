#include "orchestration/fetch/url.h"

#include <gtest/gtest.h>

#include <string>
#include <variant>

namespace parley::orchestration::fetch {
namespace {

std::string shown(const ParsedUrl& parsed) {
  if (const auto* error = std::get_if<UrlError>(&parsed)) return error->sentence;
  const Url& url = std::get<Url>(parsed);
  return url.origin() + " " + url.text();
}

TEST(UrlTest, HasOneSpellingForAnOrigin) {
  EXPECT_EQ(shown(Url::parse("HTTP://Example.COM:80/A?b#c")), "http://example.com http://Example.COM:80/A?b");
  EXPECT_EQ(shown(Url::parse("https://example.com:443")), "https://example.com https://example.com:443/");
  EXPECT_EQ(shown(Url::parse("https://example.com:8443/")),
            "https://example.com:8443 https://example.com:8443/");
  EXPECT_EQ(shown(Url::parse("http://0x7f.1/")), "http://127.0.0.1 http://127.0.0.1/");
  EXPECT_EQ(shown(Url::parse("http://[0:0::1]:80/")), "http://[::1] http://[::1]:80/");
}

TEST(UrlTest, ResolvesRedirectsAgainstItself) {
  const Url url = std::get<Url>(Url::parse("https://a.example/x/y?q"));
  for (const auto& [location, expected] :
       {std::pair("z", "https://a.example/x/z"), std::pair("/z", "https://a.example/z"),
        std::pair("?r", "https://a.example/x/y?r"), std::pair("//b.example/z", "https://b.example/z"),
        std::pair("http://c.example", "http://c.example/"), std::pair("../../../z", "https://a.example/z")}) {
    const ParsedUrl resolved = url.resolve(location);
    ASSERT_TRUE(std::holds_alternative<Url>(resolved)) << location;
    EXPECT_EQ(std::get<Url>(resolved).text(), expected);
  }
}

TEST(UrlTest, SaysWhyOneIsRefused) {
  EXPECT_NE(shown(Url::parse("file:///etc/passwd")).find("only http and https"), std::string::npos);
  EXPECT_NE(shown(Url::parse("gopher://a.example/")).find("only http and https"), std::string::npos);
  EXPECT_NE(shown(Url::parse("http://a:b@a.example/")).find("user name"), std::string::npos);
  EXPECT_NE(shown(Url::parse("http://[fe80::1%25eth0]/")).find("network interface"), std::string::npos);
  EXPECT_NE(shown(Url::parse("http://a.example/\r\nX: y")).find("control character"), std::string::npos);
  EXPECT_NE(shown(Url::parse("http://a.example/a b")).find("space"), std::string::npos);
  EXPECT_NE(shown(Url::parse(std::string("http://a.example/\0", 18))).find("control character"),
            std::string::npos);
  EXPECT_NE(shown(Url::parse("http://a.example/" + std::string(20000, 'x'))).find("16384 bytes"),
            std::string::npos);
  for (const char* text :
       {"", "a.example/x", "http://", "http:///", "https://:80/", "http://a.example:99999/", "://x"}) {
    EXPECT_TRUE(std::holds_alternative<UrlError>(Url::parse(text))) << text;
  }
}

TEST(UrlTest, ShowsNoPasswordOfOneThatIsRefused) {
  for (const char* text : {"http://admin:hunter22@a.example/x", "http://admin:hun/ter22@a.example/x",
                           "http://admin:hunter22@a.example:99999/x", "ftp://admin:hunter22@a.example/x",
                           "admin:hunter22@a.example/x", "http://admin:p@hunter22@a.example/ x",
                           "//admin:hunter22@a.example/x"}) {
    const std::string sentence = shown(Url::parse(text));
    EXPECT_EQ(sentence.find("ter22"), std::string::npos) << sentence;
    EXPECT_EQ(sentence.find("admin"), std::string::npos) << sentence;
    EXPECT_NE(sentence.find("\xE2\x80\xA6@a.example"), std::string::npos) << sentence;
  }
  EXPECT_NE(
      shown(Url::parse("http://admin:hunter22@a.example/x")).find("\"http://\xE2\x80\xA6@a.example/x\""),
      std::string::npos);
  const Url url = std::get<Url>(Url::parse("https://b.example/"));
  EXPECT_EQ(shown(url.resolve("https://admin:hunter22@a.example/x")).find("hunter22"), std::string::npos);
}

}  // namespace
}  // namespace parley::orchestration::fetch
