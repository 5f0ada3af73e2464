#include "orchestration/fetch/response_reader.h"

#include <gtest/gtest.h>
#include <zlib.h>

#include <algorithm>

#include "tests/orchestration/fetch/fetch_helper.h"

namespace parley::orchestration::fetch {
namespace {

using End = FetchResponse::End;

std::string gzipped(const std::string& text) {
  z_stream stream{};
  deflateInit2(&stream, 6, Z_DEFLATED, 15 + 16, 9, Z_DEFAULT_STRATEGY);
  std::string packed(deflateBound(&stream, text.size()), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_out = static_cast<uInt>(packed.size());
  deflate(&stream, Z_FINISH);
  packed.resize(stream.total_out);
  deflateEnd(&stream);
  return packed;
}

TEST(ResponseReaderTest, Unpacks) {
  LocalServer server(always(http_answer(gzipped("hello hello"), "Content-Encoding: gzip\r\n")));
  EXPECT_EQ(fetched(request_to(server)).body, "hello hello");
}

TEST(ResponseReaderTest, CutsAtTheBoundExactly) {
  LocalServer server(always(http_answer("12345")));
  FetchRequest request = request_to(server);
  request.max_body = 5;
  FetchResponse response = fetched(request);
  EXPECT_EQ(response.body, "12345");
  EXPECT_FALSE(response.cut);
  request.max_body = 4;
  response = fetched(request);
  EXPECT_EQ(response.end, End::complete);
  EXPECT_EQ(response.body, "1234");
  EXPECT_TRUE(response.cut);
  request.max_body = 0;
  EXPECT_TRUE(fetched(request).cut);
}

TEST(ResponseReaderTest, CutsABombByItsUnpackedSize) {
  const std::string bomb = gzipped(std::string(std::size_t{64} << 20, '\0'));
  ASSERT_LT(bomb.size(), 80000U);
  LocalServer server(always(http_answer(bomb, "Content-Encoding: gzip\r\n")));
  std::size_t largest = 0;
  std::size_t total = 0;
  FetchRequest request = request_to(server);
  request.max_body = 1 << 20;
  request.on_body = [&](std::string_view chunk) {
    largest = std::max(largest, chunk.size());
    total += chunk.size();
    return true;
  };
  const FetchResponse response = fetched(request);
  EXPECT_TRUE(response.cut);
  EXPECT_EQ(total, request.max_body);
  EXPECT_LE(largest, 65536U);  // so that the bomb was never in memory
}

TEST(ResponseReaderTest, RefusesBombsWithinBombs) {
  const std::string twice = gzipped(gzipped("hello"));
  for (const char* headers :
       {"Content-Encoding: gzip, gzip\r\n", "Content-Encoding: gzip\r\nContent-Encoding: gzip\r\n",
        "Content-Encoding: identity,gzip\r\n"}) {
    LocalServer server(always(http_answer(twice, headers)));
    const FetchResponse response = fetched(request_to(server));
    EXPECT_EQ(response.end, End::refused) << headers;
    EXPECT_NE(response.error.find("more than once"), std::string::npos);
    EXPECT_EQ(response.body, "");
  }
}

TEST(ResponseReaderTest, SaysThatDataCannotBeUnpacked) {
  std::string packed = gzipped("hello hello");
  packed[12] = static_cast<char>(~packed[12]);
  LocalServer server(always(http_answer(packed, "Content-Encoding: gzip\r\n")));
  const FetchResponse response = fetched(request_to(server));
  EXPECT_EQ(response.end, End::failed);
  EXPECT_NE(response.error.find("decompressed"), std::string::npos) << response.error;
}

TEST(ResponseReaderTest, RefusesEndlessHeads) {
  const LocalServer::Answer fields = [](Connection& connection, const std::string&) {
    connection.write("HTTP/1.1 200 OK\r\n");
    while (connection.write("X-More: 0123456789\r\n")) continue;
  };
  const LocalServer::Answer interim = [](Connection& connection, const std::string&) {
    while (connection.write("HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n")) continue;
  };
  const LocalServer::Answer trailers = [](Connection& connection, const std::string&) {
    connection.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n0\r\n");
    while (connection.write("X-More: 0123456789\r\n")) continue;
  };
  for (const auto& answer : {fields, interim, trailers}) {
    LocalServer server(answer);
    const FetchResponse response = fetched(request_to(server));
    EXPECT_EQ(response.end, End::refused) << response.error;
    EXPECT_NE(response.error.find("headers are larger"), std::string::npos);
  }
}

TEST(ResponseReaderTest, TakesTheFinalHeadAfterInterimOnes) {
  LocalServer server(
      always("HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n" + http_answer("done", "X-A: 1\r\n")));
  const FetchResponse response = fetched(request_to(server));
  EXPECT_EQ(response.status, 200);
  EXPECT_EQ(response.body, "done");
  EXPECT_EQ(response.headers.size(), 2U);
}

TEST(ResponseReaderTest, ReadsChunksAndLeavesTrailersOut) {
  LocalServer server(
      always("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2;x=y\r\nde\r\n0\r\n"
             "Authorization: late\r\n\r\n"));
  const FetchResponse response = fetched(request_to(server));
  EXPECT_EQ(response.body, "abcde");
  EXPECT_EQ(response.headers.size(), 1U);
}

TEST(ResponseReaderTest, TellsTheHeadBeforeTheBodyAndHandsChunksOverAsTheyCome) {
  std::stop_source second;
  LocalServer server([&](Connection& connection, const std::string&) {
    connection.write("HTTP/1.1 201 Created\r\nContent-Type: text/event-stream\r\n\r\nfirst");
    while (!second.stop_requested()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    connection.write("second");
  });
  std::string log;
  FetchRequest request = request_to(server);
  request.on_head = [&](int status, const std::vector<Header>& headers) {
    log += std::to_string(status) + " " + headers.at(0).second + "|";
  };
  request.on_body = [&](std::string_view chunk) {
    log += std::string(chunk) + "|";
    second.request_stop();
    return true;
  };
  const FetchResponse response = fetched(request);
  EXPECT_EQ(response.end, End::complete);
  EXPECT_EQ(log, "201 text/event-stream|first|second|");
  EXPECT_EQ(response.body, "");
}

TEST(ResponseReaderTest, EndsWhenTheConsumerHasEnough) {
  LocalServer server([](Connection& connection, const std::string&) {
    connection.write("HTTP/1.1 200 OK\r\n\r\n");
    while (connection.write("x")) continue;
  });
  FetchRequest request = request_to(server);
  request.on_body = [](std::string_view) { return false; };
  EXPECT_EQ(fetched(request).end, End::stopped);
}

}  // namespace
}  // namespace parley::orchestration::fetch
