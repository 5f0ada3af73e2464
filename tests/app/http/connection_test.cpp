// The HTTP layer from outside, over real sockets.
#include "app/http/connection.h"

#include <gtest/gtest.h>

#include <string>

#include "tests/app/http/test_site.h"
#include "tests/fakes/raw_client.h"

namespace parley::app::http {
namespace {

using std::chrono::milliseconds;
using tests::fakes::make_request;
using tests::fakes::RawClient;

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

TEST(ConnectionTest, AnswersHeadWithoutABody) {
  RunningSite site;
  RawClient client(site.port());
  client.send(make_request("HEAD", "/big", site.port()));
  const auto answer = client.read_answer(/*to_head_request=*/true);
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

TEST(ConnectionTest, ClosesIdleConnectionsQuietly) {
  RunningSite site(quick_limits());
  RawClient client(site.port());
  client.send(make_request("POST", "/echo", site.port(), "", "x"));
  client.read_answer();
  EXPECT_EQ(client.read_to_end(), "");
  EXPECT_TRUE(eventually([&] { return site.num_connections() == 0; }));
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
