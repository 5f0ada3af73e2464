// The HTTP layer from outside, over real sockets.
#include "app/http/connection.h"

#include <gtest/gtest.h>

#include <string>
#include <thread>

#include "tests/app/http/test_site.h"
#include "tests/fakes/raw_client.h"

namespace parley::app::http {
namespace {

using std::chrono::milliseconds;
using tests::fakes::make_request;
using tests::fakes::RawClient;

HttpLimits quick_limits() {
  HttpLimits limits;
  limits.head_deadline = milliseconds(200);
  limits.idle = milliseconds(200);
  limits.body_grace = milliseconds(200);
  limits.write_stall = milliseconds(300);
  limits.linger = milliseconds(200);
  return limits;
}

TEST(ConnectionTest, ServesSeveralRequestsOnOneConnection) {
  RunningSite site;
  RawClient client(site.port());
  for (const char* body : {"one", "two", "three"}) {
    client.send(make_request("POST", "/echo", site.port(), "", body));
    const auto answer = client.read_answer();
    EXPECT_EQ(answer.status, 200);
    EXPECT_EQ(answer.body, body);
    EXPECT_EQ(answer.fields.at("connection"), "keep-alive");
    EXPECT_EQ(answer.fields.at("x-content-type-options"), "nosniff");
  }
}

TEST(ConnectionTest, ServesRequestsThatCameTogetherInOrder) {
  RunningSite site;
  RawClient client(site.port());
  client.send(make_request("POST", "/echo", site.port(), "", "a") +
              make_request("GET", "/stream", site.port()) +
              make_request("POST", "/echo", site.port(), "", "b"));
  EXPECT_EQ(client.read_answer().body, "a");
  EXPECT_EQ(client.read_answer().body, "piece piece piece ");
  EXPECT_EQ(client.read_answer().body, "b");
}

TEST(ConnectionTest, ServesRequestsThatArriveByteByByte) {
  RunningSite site;
  RawClient client(site.port());
  for (const char byte : make_request("POST", "/echo", site.port(), "", "slowly"))
    client.send(std::string(1, byte));
  EXPECT_EQ(client.read_answer().body, "slowly");
}

TEST(ConnectionTest, AnswersHeadWithoutABody) {
  RunningSite site;
  RawClient client(site.port());
  client.send(make_request("HEAD", "/big", site.port()));
  const auto answer = client.read_answer(true);
  EXPECT_EQ(answer.status, 200);
  EXPECT_EQ(answer.fields.at("content-length"), std::to_string(32u << 20));
  client.send(make_request("POST", "/echo", site.port(), "", "next"));
  EXPECT_EQ(client.read_answer().body, "next");
}

TEST(ConnectionTest, ClosesWhenTheClientAsks) {
  RunningSite site;
  RawClient client(site.port());
  client.send(make_request("POST", "/echo", site.port(), "Connection: close\r\n", "x"));
  EXPECT_EQ(client.read_answer().fields.at("connection"), "close");
  EXPECT_TRUE(client.is_closed_within(milliseconds(500)));
}

TEST(ConnectionTest, StreamsToOldClientsUntilTheEndOfTheConnection) {
  RunningSite site;
  RawClient client(site.port());
  client.send("GET /stream HTTP/1.0\r\nHost: a\r\n\r\n");
  const auto answer = client.read_answer();
  EXPECT_EQ(answer.fields.count("transfer-encoding"), 0u);
  EXPECT_EQ(answer.body, "piece piece piece ");
}

TEST(ConnectionTest, EndsAfterTheAllowedNumberOfRequests) {
  HttpLimits limits;
  limits.max_requests = 2;
  RunningSite site(limits);
  RawClient client(site.port());
  client.send(make_request("POST", "/echo", site.port(), "", "1"));
  EXPECT_EQ(client.read_answer().fields.at("connection"), "keep-alive");
  client.send(make_request("POST", "/echo", site.port(), "", "2"));
  EXPECT_EQ(client.read_answer().fields.at("connection"), "close");
  EXPECT_TRUE(client.is_closed_within(milliseconds(500)));
}

TEST(ConnectionTest, GivesARefusalThatTheClientCanReadThoughItSendsOn) {
  RunningSite site;
  for (int i = 0; i < 20; ++i) {
    RawClient client(site.port());
    client.send(make_request("POST", "/nowhere", site.port(), "", std::string(300'000, 'x')));
    EXPECT_EQ(client.read_answer().status, 404);
  }
}

TEST(ConnectionTest, KeepsTheConnectionAfterARefusalWithoutBody) {
  RunningSite site;
  RawClient client(site.port());
  client.send(make_request("GET", "/nowhere", site.port()));
  EXPECT_EQ(client.read_answer().status, 404);
  client.send(make_request("POST", "/echo", site.port(), "", "on"));
  EXPECT_EQ(client.read_answer().body, "on");
}

TEST(ConnectionTest, NeverTakesAnUnreadBodyForARequest) {
  RunningSite site;
  RawClient client(site.port());
  const std::string smuggled = make_request("POST", "/echo", site.port(), "", "smuggled");
  client.send(make_request("POST", "/nowhere", site.port(), "", smuggled));
  EXPECT_EQ(client.read_answer().status, 404);
  EXPECT_EQ(client.read_to_end().find("smuggled"), std::string::npos);
}

TEST(ConnectionTest, BoundsBodiesByRoute) {
  RunningSite site;
  RawClient fits(site.port());
  fits.send(make_request("POST", "/echo?big", site.port(), "", std::string(5000, 'a')));
  EXPECT_EQ(fits.read_answer().body.size(), 5000u);
  RawClient announced(site.port());
  announced.send(make_request("POST", "/echo", site.port(), "Content-Length: 1001\r\n"));
  EXPECT_EQ(announced.read_answer().status, 413);
  RawClient counted(site.port());
  counted.send(make_request("POST", "/echo", site.port(), "Transfer-Encoding: chunked\r\n"));
  for (int i = 0; i < 3; ++i) counted.send("190\r\n" + std::string(400, 'a') + "\r\n");
  EXPECT_EQ(counted.read_answer().status, 413);
}

TEST(ConnectionTest, TellsAClientThatWaitsToGoOn) {
  RunningSite site;
  RawClient client(site.port());
  client.send(make_request("POST", "/echo", site.port(), "Expect: 100-continue\r\nContent-Length: 3\r\n"));
  EXPECT_EQ(client.read_until("\r\n\r\n"), "HTTP/1.1 100 Continue\r\n\r\n");
  client.send("abc");
  EXPECT_EQ(client.read_answer().body, "abc");
  RawClient refused(site.port());
  refused.send(
      make_request("POST", "/nowhere", site.port(), "Expect: 100-continue\r\nContent-Length: 3\r\n"));
  EXPECT_EQ(refused.read_answer().status, 404);
}

TEST(ConnectionTest, GivesUpOnSlowHeads) {
  RunningSite site(quick_limits());
  RawClient silent(site.port());
  EXPECT_TRUE(silent.is_closed_within(milliseconds(2000)));
  RawClient slow(site.port());
  slow.send("GET / HTTP/1.1\r\nHo");
  EXPECT_EQ(slow.read_answer().status, 408);
  EXPECT_TRUE(slow.is_closed_within(milliseconds(2000)));
}

TEST(ConnectionTest, GivesUpOnAHeadThatDripsForEver) {
  RunningSite site(quick_limits());
  RawClient client(site.port());
  client.send("GET / HTTP/1.1\r\n");
  bool open = true;
  const auto begin = std::chrono::steady_clock::now();
  while (open && std::chrono::steady_clock::now() - begin < milliseconds(3000)) {
    open = client.send("A: b\r\n") && !client.is_closed_within(milliseconds(20));
  }
  EXPECT_FALSE(open);
}

TEST(ConnectionTest, GivesUpOnSlowBodies) {
  HttpLimits limits = quick_limits();
  limits.min_body_rate = 100'000;
  RunningSite site(limits);
  RawClient client(site.port());
  client.send(make_request("POST", "/echo", site.port(), "Content-Length: 1000\r\n") + "abc");
  EXPECT_EQ(client.read_answer().status, 408);
}

TEST(ConnectionTest, ClosesIdleConnectionsQuietly) {
  RunningSite site(quick_limits());
  RawClient client(site.port());
  client.send(make_request("POST", "/echo", site.port(), "", "x"));
  client.read_answer();
  EXPECT_EQ(client.read_to_end(), "");
  EXPECT_TRUE(eventually([&] { return site.num_connections() == 0; }));
}

TEST(ConnectionTest, GivesUpOnAClientThatDoesNotRead) {
  RunningSite site(quick_limits());
  RawClient client(site.port());
  client.send(make_request("GET", "/big", site.port()));
  EXPECT_TRUE(eventually([&] { return site.num_connections() == 0; }));
}

TEST(ConnectionTest, WaitsForASlowClientThatGoesOnReading) {
  RunningSite site(quick_limits());
  RawClient client(site.port());
  client.send(make_request("GET", "/big", site.port(), "Connection: close\r\n"));
  std::size_t received = 0;
  for (int i = 0; i < 40; ++i) {
    received += client.read_exactly(128u << 10).size();
    std::this_thread::sleep_for(milliseconds(50));
  }
  EXPECT_GT(received + client.read_to_end().size(), 32u << 20);
}

TEST(ConnectionTest, NoticesAClientThatCloses) {
  RunningSite site;
  RawClient client(site.port());
  client.send(make_request("GET", "/endless", site.port()));
  client.read_until("\r\n\r\n");
  client.finish_sending();
  EXPECT_TRUE(eventually([&] { return site.site().num_gone == 1; }, milliseconds(1000)));
  EXPECT_TRUE(eventually([&] { return site.num_connections() == 0; }, milliseconds(1000)));
}

TEST(ConnectionTest, NoticesAClientThatResets) {
  RunningSite site;
  RawClient client(site.port());
  client.send(make_request("GET", "/endless", site.port()));
  client.read_until("\r\n\r\n");
  client.reset();
  EXPECT_TRUE(eventually([&] { return site.site().num_gone == 1; }, milliseconds(1000)));
}

TEST(ConnectionTest, NoticesAClientThatSentTheNextRequestAndThenCloses) {
  RunningSite site;
  RawClient client(site.port());
  client.send(make_request("GET", "/endless", site.port()) +
              make_request("POST", "/echo", site.port(), "", "never"));
  client.read_until("\r\n\r\n");
  client.finish_sending();
  EXPECT_TRUE(eventually([&] { return site.site().num_gone == 1; }, milliseconds(1000)));
}

TEST(ConnectionTest, BoundsWhatAClientSendsAheadOfItsAnswer) {
  HttpLimits limits;
  limits.max_early_bytes = 1000;
  RunningSite site(limits);
  RawClient client(site.port());
  client.send(make_request("GET", "/endless", site.port()));
  client.read_until("\r\n\r\n");
  client.send(std::string(100'000, 'x'));
  EXPECT_TRUE(eventually([&] { return site.site().num_gone == 1; }, milliseconds(1000)));
  EXPECT_TRUE(eventually([&] { return site.num_connections() == 0; }, milliseconds(1000)));
}

TEST(ConnectionTest, SkipsAFewBlankLinesBeforeARequest) {
  RunningSite site;
  RawClient client(site.port());
  client.send("\r\n\r\n\r");
  std::this_thread::sleep_for(milliseconds(50));
  client.send("\n" + make_request("POST", "/echo", site.port(), "", "after"));
  EXPECT_EQ(client.read_answer().body, "after");
  RawClient many(site.port());
  std::string blank;
  for (int i = 0; i < 100'000; ++i) blank += "\r\n";
  many.send(blank + make_request("POST", "/echo", site.port(), "", "never"));
  EXPECT_EQ(many.read_answer().status, 400);
}

TEST(ConnectionTest, GivesNoMoreTimeForBlankLines) {
  RunningSite site(quick_limits());
  RawClient client(site.port());
  int num_sent = 0;
  for (bool open = true; open && num_sent < 8; ++num_sent)
    open = client.send("\r\n") && !client.is_closed_within(milliseconds(80));
  EXPECT_LT(num_sent, 6);
}

TEST(ConnectionTest, AnswersAFailedHandlerAndServesOn) {
  RunningSite site;
  RawClient client(site.port());
  client.send(make_request("GET", "/throw", site.port()));
  const auto answer = client.read_answer();
  EXPECT_EQ(answer.status, 500);
  EXPECT_EQ(answer.body.find("purpose"), std::string::npos);  // inner words stay inside
  EXPECT_EQ(site.site().num_failures, 1);
  client.send(make_request("GET", "/forget", site.port()));
  EXPECT_EQ(client.read_answer().status, 500);
  client.send(make_request("POST", "/echo", site.port(), "", "on"));
  EXPECT_EQ(client.read_answer().body, "on");
}

TEST(ConnectionTest, TellsOfAFailureOutsideOfHandlers) {
  RunningSite site;
  RawClient client(site.port());
  client.send(make_request("GET", "/throw_early", site.port()));
  EXPECT_TRUE(client.is_closed_within(milliseconds(1000)));
  EXPECT_EQ(site.site().num_failures, 1);
}

TEST(ConnectionTest, CutsAStreamThatFailedInsteadOfEndingItWell) {
  RunningSite site;
  RawClient client(site.port());
  client.send(make_request("GET", "/throw_late", site.port()));
  const std::string all = client.read_to_end();
  EXPECT_NE(all.find("200 OK"), std::string::npos);
  EXPECT_EQ(all.find("0\r\n\r\n"), std::string::npos);
}

}  // namespace
}  // namespace parley::app::http
