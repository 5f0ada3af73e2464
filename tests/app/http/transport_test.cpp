// Over real sockets: how long a client may take, and how a connection ends.
#include "app/http/transport.h"

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

TEST(TransportTest, GivesUpOnAClientThatDoesNotRead) {
  RunningSite site(quick_limits());
  RawClient client(site.port());
  client.send(make_request("GET", "/big", site.port()));
  EXPECT_TRUE(eventually([&] { return site.num_connections() == 0; }));
}

TEST(TransportTest, WaitsForASlowClientThatGoesOnReading) {
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

TEST(TransportTest, GivesARefusalThatTheClientCanReadThoughItSendsOn) {
  RunningSite site;
  for (int i = 0; i < 20; ++i) {
    RawClient client(site.port());
    client.send(make_request("POST", "/nowhere", site.port(), "", std::string(300'000, 'x')));
    EXPECT_EQ(client.read_answer().status, 404);
  }
}

}  // namespace
}  // namespace parley::app::http
