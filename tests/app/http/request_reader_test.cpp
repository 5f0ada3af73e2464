// Over real sockets: what of a request is read, and for how long it is waited for.
#include "app/http/request_reader.h"

#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <thread>

#include "tests/app/http/test_site.h"
#include "tests/fakes/raw_client.h"

namespace parley::app::http {
namespace {

using std::chrono::milliseconds;
using tests::fakes::make_request;
using tests::fakes::RawClient;

TEST(RequestReaderTest, ReadsRequestsThatArriveByteByByte) {
  RunningSite site;
  RawClient client(site.port());
  for (const char byte : make_request("POST", "/echo", site.port(), "", "slowly"))
    client.send(std::string(1, byte));
  EXPECT_EQ(client.read_answer().body, "slowly");
}

TEST(RequestReaderTest, BoundsBodiesByRoute) {
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

TEST(RequestReaderTest, TellsAClientThatWaitsToGoOn) {
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

TEST(RequestReaderTest, GivesUpOnSlowHeads) {
  RunningSite site(quick_limits());
  RawClient silent(site.port());
  EXPECT_TRUE(silent.is_closed_within(milliseconds(2000)));
  RawClient slow(site.port());
  slow.send("GET / HTTP/1.1\r\nHo");
  EXPECT_EQ(slow.read_answer().status, 408);
  EXPECT_TRUE(slow.is_closed_within(milliseconds(2000)));
}

TEST(RequestReaderTest, GivesUpOnAHeadThatDripsForEver) {
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

TEST(RequestReaderTest, GivesUpOnSlowBodies) {
  HttpLimits limits = quick_limits();
  limits.body_rate.min_bytes_per_second = 100'000;
  RunningSite site(limits);
  RawClient client(site.port());
  client.send(make_request("POST", "/echo", site.port(), "Content-Length: 1000\r\n") + "abc");
  EXPECT_EQ(client.read_answer().status, 408);
}

// What came at once would earn it an hour.
TEST(RequestReaderTest, GivesUpOnABodyThatCameFastAndStalls) {
  HttpLimits limits;
  limits.body_rate = {1, milliseconds(200), milliseconds(200)};
  RunningSite site(limits);
  RawClient client(site.port());
  client.send(make_request("POST", "/echo?big", site.port(), "Content-Length: 5000\r\n") +
              std::string(4000, 'a'));
  const auto answer = client.read_answer();
  EXPECT_EQ(answer.status, 408);
  EXPECT_NE(answer.body.find("too slowly"), std::string::npos) << answer.body;
  EXPECT_TRUE(client.is_closed_within(milliseconds(3000)));
}

TEST(RequestReaderTest, GivesUpOnABodyOfWhichAByteComesNowAndThen) {
  HttpLimits limits;
  limits.body_rate = {100, milliseconds(300), milliseconds(300)};
  RunningSite site(limits);
  RawClient client(site.port());
  client.send(make_request("POST", "/echo?big", site.port(), "Content-Length: 5000\r\n") +
              std::string(4000, 'a'));
  int num_sent = 0;
  while (num_sent < 40 && client.send("b") && !client.is_closed_within(milliseconds(50))) ++num_sent;
  EXPECT_LT(num_sent, 20);
}

TEST(RequestReaderTest, TakesABodyThatComesSlowlyButSteadily) {
  HttpLimits limits;
  limits.body_rate = {200, milliseconds(400), milliseconds(400)};
  RunningSite site(limits);
  RawClient client(site.port());
  client.send(make_request("POST", "/echo", site.port(), "Content-Length: 800\r\n"));
  for (int i = 0; i < 20; ++i) {  // a second in all, at twice the least rate
    client.send(std::string(40, 'a'));
    std::this_thread::sleep_for(milliseconds(50));
  }
  EXPECT_EQ(client.read_answer().body.size(), 800u);
}

TEST(RequestReaderTest, BoundsUnfinishedBodiesTogether) {
  HttpLimits limits;
  limits.max_unfinished = 6000;
  limits.uncounted_unfinished = 1000;
  RunningSite site(limits);
  const std::string head = make_request("POST", "/echo?big", site.port(), "Content-Length: 5000\r\n");
  RawClient first(site.port());
  first.send(head);
  first.send(std::string(4900, 'a'));
  std::this_thread::sleep_for(milliseconds(100));
  RawClient second(site.port());
  second.send(head);
  second.send(std::string(4900, 'a'));
  const auto refused = second.read_answer();
  EXPECT_EQ(refused.status, 503);
  EXPECT_EQ(refused.fields.at("retry-after"), "10");
  RawClient small(site.port());
  small.send(make_request("POST", "/echo", site.port(), "Content-Length: 900\r\n") + std::string(800, 'a'));
  std::this_thread::sleep_for(milliseconds(50));
  small.send(std::string(100, 'a'));
  EXPECT_EQ(small.read_answer().body.size(), 900u) << "what is ordinary gets through";
  first.send(std::string(100, 'a'));
  EXPECT_EQ(first.read_answer().body.size(), 5000u);
  RawClient third(site.port());
  third.send(head);
  third.send(std::string(4900, 'a'));
  std::this_thread::sleep_for(milliseconds(50));
  third.send(std::string(100, 'a'));
  EXPECT_EQ(third.read_answer().body.size(), 5000u) << "what has ended is given back";
}

TEST(RequestReaderTest, SkipsAFewBlankLinesBeforeARequest) {
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

TEST(RequestReaderTest, GivesNoMoreTimeForBlankLines) {
  RunningSite site(quick_limits());
  RawClient client(site.port());
  int num_sent = 0;
  for (bool open = true; open && num_sent < 8; ++num_sent)
    open = client.send("\r\n") && !client.is_closed_within(milliseconds(80));
  EXPECT_LT(num_sent, 6);
}

TEST(RequestReaderTest, BoundsWhatAClientSendsAheadOfItsAnswer) {
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

}  // namespace
}  // namespace parley::app::http
