#include "app/http/request_parser.h"

#include <gtest/gtest.h>

#include <string>

namespace parley::app::http {
namespace {

std::unique_ptr<RequestParser> parser_of(const std::string& head) {
  auto parser = make_request_parser(HttpLimits{});
  const auto refusal = parser->parse_head(head);
  EXPECT_FALSE(refusal) << (refusal ? refusal->message : "");
  return parser;
}

std::unique_ptr<RequestParser> chunked() {
  return parser_of("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n");
}

// Feeds `bytes` in pieces of `step`; the refusal's status, or 0.
int feed(RequestParser& parser, const std::string& bytes, std::size_t step) {
  std::string pending;
  for (std::size_t at = 0; at < bytes.size() && !parser.done(); at += step) {
    pending += bytes.substr(at, step);
    const auto fed = parser.feed(pending);
    if (const auto* refusal = std::get_if<Refusal>(&fed)) return refusal->status;
    pending.erase(0, std::get<std::size_t>(fed));
  }
  return 0;
}

TEST(RequestParserTest, KeepsTheHead) {
  const auto parser = parser_of("GET /a/b?c=d HTTP/1.1\r\nHost: x:1\r\nACCEPT:  q \r\n\r\n");
  EXPECT_EQ(parser->head().method, "GET");
  EXPECT_EQ(parser->head().target, "/a/b?c=d");
  EXPECT_EQ(parser->head().path, "/a/b");
  EXPECT_FALSE(parser->head().http_1_0);
  EXPECT_EQ(*parser->head().find("accept"), "q");
  EXPECT_EQ(parser->head().find("none"), nullptr);
  EXPECT_TRUE(parser->done());
}

TEST(RequestParserTest, KeepsUnknownMethods) {
  EXPECT_EQ(parser_of("BREW / HTTP/1.1\r\nHost: x\r\n\r\n")->head().method, "BREW");
}

TEST(RequestParserTest, ReadsABodyOfKnownLength) {
  for (std::size_t step = 1; step < 6; ++step) {
    const auto parser = parser_of("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\n");
    EXPECT_FALSE(parser->done());
    EXPECT_EQ(feed(*parser, "hello", step), 0);
    EXPECT_TRUE(parser->done());
    EXPECT_EQ(parser->take_body(), "hello");
  }
}

TEST(RequestParserTest, LeavesTheNextRequestAlone) {
  const auto parser = parser_of("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n");
  const auto fed = parser->feed("abGET /");
  EXPECT_EQ(std::get<std::size_t>(fed), 2u);
  EXPECT_EQ(parser->take_body(), "ab");
}

TEST(RequestParserTest, ReadsChunksHoweverTheyAreSplit) {
  const std::string body = "5\r\nhello\r\n1;x=y\r\n \r\n00A\r\n0123456789\r\n0\r\n\r\n";
  for (std::size_t step = 1; step <= body.size(); ++step) {
    const auto parser = chunked();
    EXPECT_EQ(feed(*parser, body, step), 0) << step;
    EXPECT_TRUE(parser->done()) << step;
    EXPECT_EQ(parser->take_body(), "hello 0123456789") << step;
  }
}

TEST(RequestParserTest, RefusesBrokenChunks) {
  for (const char* body :
       {"x\r\n", "-1\r\na\r\n", "5\nhello\r\n", "5\r\nhelloX\r\n", "0x5\r\nhello\r\n", " 5\r\nhello\r\n",
        "ffffffffffffffffff\r\n", "5\r\nhello0\r\n\r\n", ";\r\n", "5;\x01\r\nhello\r\n"}) {
    EXPECT_EQ(feed(*chunked(), std::string(body) + "0\r\n\r\n", 100), 400) << body;
  }
}

TEST(RequestParserTest, IgnoresTrailers) {
  const auto parser = chunked();
  EXPECT_EQ(feed(*parser, "1\r\na\r\n0\r\nHost: evil\r\nX-More: 7\r\n\r\n", 100), 0);
  EXPECT_TRUE(parser->done());
  EXPECT_EQ(*parser->head().find("Host"), "a");
  EXPECT_EQ(parser->head().find("X-More"), nullptr);
}

TEST(RequestParserTest, BoundsChunkHeadsAndTrailers) {
  EXPECT_EQ(feed(*chunked(), "5;" + std::string(20'000, 'a'), 1000), 400);
  EXPECT_EQ(feed(*chunked(), "0\r\nA: " + std::string(20'000, 'a'), 1000), 400);
}

TEST(RequestParserTest, BoundsTheBodyOfTheRoute) {
  const auto announced = parser_of("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 11\r\n\r\n");
  ASSERT_TRUE(announced->limit_body(10));
  EXPECT_EQ(announced->limit_body(10)->status, 413);
  EXPECT_FALSE(announced->limit_body(11));
  const auto counted = chunked();
  EXPECT_FALSE(counted->limit_body(10));
  EXPECT_EQ(feed(*counted, "6\r\nabcdef\r\n5\r\nabcde\r\n0\r\n\r\n", 100), 413);
  const auto one = chunked();
  EXPECT_FALSE(one->limit_body(10));
  EXPECT_EQ(feed(*one, "b\r\nabcdefghijk\r\n", 3), 413);
}

}  // namespace
}  // namespace parley::app::http
