#include "app/http/head_check.h"

#include <gtest/gtest.h>

#include <string>

#include "app/http/head_scanner.h"
#include "app/http/request_parser.h"

namespace parley::app::http {
namespace {

// The status of the refusal that a whole head meets, 0 when it is taken.
int refused(const std::string& head, const HttpLimits& limits = {}) {
  HeadScanner scanner(limits);
  const auto scanned = scanner.scan(head);
  if (const auto* refusal = std::get_if<Refusal>(&scanned)) return refusal->status;
  if (std::holds_alternative<HeadScanner::NeedMore>(scanned)) return -1;
  const auto refusal =
      make_request_parser(limits)->parse_head(head.substr(0, std::get<std::size_t>(scanned)));
  return refusal ? refusal->status : 0;
}

std::string get(const std::string& fields) { return "GET / HTTP/1.1\r\nHost: a\r\n" + fields + "\r\n"; }

TEST(HeadCheckTest, TakesOrdinaryHeads) {
  EXPECT_EQ(refused(get("")), 0);
  EXPECT_EQ(
      refused(
          "POST /v1/x?y=%20 HTTP/1.1\r\nHost: localhost:1\r\nContent-Length: 5\r\nX:\r\nY: \t z \r\n\r\n"),
      0);
  EXPECT_EQ(refused("GET / HTTP/1.0\r\nHost: a\r\n\r\n"), 0);
  EXPECT_EQ(refused("OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n"), 0);
}

TEST(HeadCheckTest, RefusesBrokenRequestLines) {
  for (const char* line :
       {"GET /", "GET  HTTP/1.1", "/ HTTP/1.1", "G@T / HTTP/1.1", " GET / HTTP/1.1", "GET / HTTP/1.1 ",
        "GET http://a/ HTTP/1.1", "GET a HTTP/1.1", "GET * HTTP/1.1", "CONNECT a:1 HTTP/1.1",
        "GET /a b HTTP/1.1", "GET /\x01 HTTP/1.1", "GET /\xC3\xA9 HTTP/1.1", "GET /#x HTTP/1.1",
        "GET / http/1.1", "GET /\tHTTP/1.1"}) {
    EXPECT_EQ(refused(std::string(line) + "\r\nHost: a\r\n\r\n"), 400) << line;
  }
  for (const char* version : {"HTTP/2.0", "HTTP/1.2", "HTTP/0.9", "HTTP/11", "HTTP/1.1x"}) {
    EXPECT_EQ(refused("GET / " + std::string(version) + "\r\nHost: a\r\n\r\n"), 505) << version;
  }
  EXPECT_EQ(refused("PRI * HTTP/2.0\r\n\r\n"), 505);
}

TEST(HeadCheckTest, RefusesBrokenFields) {
  using std::string_literals::operator""s;
  for (const std::string& field :
       {"A : b"s, "A"s, ": b"s, " A: b"s, "\tA: b"s, "A: b\r\n c"s, "A(: b"s, "A: \x01"s, "A: a\0b"s,
        "A: a\x7F"s, "A\0: b"s, "A: b\rB: c"s, "H\xC3\xB6st: a"s}) {
    EXPECT_EQ(refused(get(field + "\r\n")), 400) << field;
  }
}

TEST(HeadCheckTest, RefusesLinesThatEndInABareLineFeed) {
  EXPECT_EQ(refused("GET / HTTP/1.1\nHost: a\n\n"), 400);
  EXPECT_EQ(refused("GET / HTTP/1.1\r\nHost: a\n\r\n"), 400);
  EXPECT_EQ(refused("GET / HTTP/1.1\r\nHost: a\r\n\n"), 400);
}

TEST(HeadCheckTest, AsksForExactlyOneHost) {
  EXPECT_EQ(refused("GET / HTTP/1.1\r\n\r\n"), 400);
  EXPECT_EQ(refused("GET / HTTP/1.0\r\n\r\n"), 400);
  EXPECT_EQ(refused("GET / HTTP/1.1\r\nHost:\r\n\r\n"), 400);
  EXPECT_EQ(refused(get("Host: a\r\n")), 400);
  EXPECT_EQ(refused(get("hOST: b\r\n")), 400);
}

TEST(HeadCheckTest, RefusesEveryDoubtAboutTheBodysEnd) {
  const std::string post = "POST / HTTP/1.1\r\nHost: a\r\n";
  const std::string chunked = "Transfer-Encoding: chunked\r\n";
  EXPECT_EQ(refused(post + chunked + "\r\n"), 0);
  EXPECT_EQ(refused(post + "Content-Length: 5\r\n" + chunked + "\r\n"), 400);
  EXPECT_EQ(refused(post + chunked + "Content-Length: 5\r\n\r\n"), 400);
  EXPECT_EQ(refused("POST / HTTP/1.0\r\nHost: a\r\n" + chunked + "\r\n"), 400);
  EXPECT_EQ(refused(post + chunked + chunked + "\r\n"), 400);
  EXPECT_EQ(refused(post + "Content-Length: 5\r\nContent-Length: 5\r\n\r\n"), 400);
  for (const char* coding :
       {"gzip", "gzip, chunked", "chunked, gzip", "chunked, chunked", "chunked;q=1", "identity", ""}) {
    EXPECT_EQ(refused(post + "Transfer-Encoding: " + coding + "\r\n\r\n"), 400) << coding;
  }
  for (const char* length :
       {"", "-1", "+5", "5x", "0x5", "5 5", "5,5", "99999999999999999999", "18446744073709551616"}) {
    EXPECT_EQ(refused(post + "Content-Length: " + length + "\r\n\r\n"), 400) << length;
  }
}

TEST(HeadCheckTest, RefusesFieldsThatMustNotBeTwice) {
  for (const char* name :
       {"Authorization", "Origin", "Content-Type", "Sec-Fetch-Site", "Sec-WebSocket-Key"}) {
    EXPECT_EQ(refused(get(std::string(name) + ": a\r\n" + name + ": b\r\n")), 400) << name;
  }
}

TEST(HeadCheckTest, RefusesWhatIsNotDoneHere) {
  EXPECT_EQ(refused(get("Content-Encoding: gzip\r\n")), 415);
  EXPECT_EQ(refused(get("Content-Encoding: identity\r\n")), 0);
  EXPECT_EQ(refused(get("Expect: 200-maybe\r\n")), 417);
  EXPECT_EQ(refused(get("Expect: 100-Continue\r\n")), 0);
}

TEST(HeadCheckTest, RefusesAnnouncedBodiesBeyondAllRoutes) {
  EXPECT_EQ(refused("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 8388608\r\n\r\n"), 0);
  EXPECT_EQ(refused("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 8388609\r\n\r\n"), 413);
}

}  // namespace
}  // namespace parley::app::http
