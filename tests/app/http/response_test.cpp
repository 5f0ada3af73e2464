#include "app/http/response.h"

#include <gtest/gtest.h>

#include <string>

namespace parley::app::http {
namespace {

TEST(ResponseTest, WritesAHead) {
  Response response;
  response.content_type = "text/plain";
  response.fields.push_back({"ETag", "\"x\""});
  Framing framing;
  framing.content_length = 5;
  framing.keep_alive = true;
  const std::string head = write_head(response, framing, "localhost:1");
  EXPECT_TRUE(head.starts_with("HTTP/1.1 200 OK\r\nDate: ")) << head;
  EXPECT_NE(head.find(" GMT\r\nContent-Type: text/plain\r\nContent-Length: 5\r\nConnection: "
                      "keep-alive\r\nETag: \"x\"\r\n"),
            std::string::npos)
      << head;
  EXPECT_TRUE(head.ends_with("\r\n\r\n"));
}

TEST(ResponseTest, TellsHowAStreamEnds) {
  Framing framing;
  framing.chunked = true;
  const std::string head = write_head({}, framing, "");
  EXPECT_NE(head.find("Transfer-Encoding: chunked\r\nConnection: close\r\n"), std::string::npos) << head;
  EXPECT_EQ(head.find("Content-Length"), std::string::npos);
}

TEST(ResponseTest, WritesChunks) {
  EXPECT_EQ(write_chunk("hello"), "5\r\nhello\r\n");
  EXPECT_EQ(write_chunk(std::string(26, 'a')), "1a\r\n" + std::string(26, 'a') + "\r\n");
  EXPECT_EQ(write_chunk(""), "");
}

TEST(ResponseTest, HasAPhraseForEachStatusItUses) {
  for (const int status :
       {200, 204, 304, 400, 401, 403, 404, 405, 408, 413, 414, 415, 417, 421, 426, 429, 431, 500, 503, 505}) {
    EXPECT_NE(reason_phrase(status), "Unknown") << status;
  }
}

}  // namespace
}  // namespace parley::app::http
