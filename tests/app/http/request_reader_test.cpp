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
  limits.min_body_rate = 100'000;
  RunningSite site(limits);
  RawClient client(site.port());
  client.send(make_request("POST", "/echo", site.port(), "Content-Length: 1000\r\n") + "abc");
  EXPECT_EQ(client.read_answer().status, 408);
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
