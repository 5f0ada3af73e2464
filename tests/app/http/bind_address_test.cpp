#include "app/http/bind_address.h"

#include <gtest/gtest.h>

#include <stdexcept>

#include <boost/asio/io_context.hpp>

#include "tests/fakes/message_of.h"

namespace parley::app::http {
namespace {

class BindAddressTest : public testing::Test {
 protected:
  boost::asio::ip::tcp::acceptor listen(const std::string& host, std::uint16_t port = 0) {
    return listen_on(io_.get_executor(), host, port);
  }
  std::string why_not(const std::string& host, std::uint16_t port = 0) {
    return tests::fakes::message_of([&] { listen(host, port); });
  }

  boost::asio::io_context io_;
};

TEST_F(BindAddressTest, TakesAddressesAndNamesOfThisMachine) {
  EXPECT_EQ(listen("127.0.0.1").local_endpoint().address().to_string(), "127.0.0.1");
  EXPECT_EQ(listen("localhost").local_endpoint().address().to_string(), "127.0.0.1");
  EXPECT_EQ(listen("::1").local_endpoint().address().to_string(), "::1");
  EXPECT_EQ(listen("[::1]").local_endpoint().address().to_string(), "::1");
  EXPECT_NE(listen("127.0.0.1").local_endpoint().port(), 0);
}

TEST_F(BindAddressTest, SaysWhichPortIsInUse) {
  for (const std::string host : {"127.0.0.1", "[::1]"}) {
    const auto first = listen(host);
    const std::uint16_t port = first.local_endpoint().port();
    EXPECT_EQ(why_not(host, port), "Cannot listen on " + host + ":" + std::to_string(port) +
                                       ": the port is in use. Stop the other program, or choose another port "
                                       "(0 takes a free one).");
  }
}

TEST_F(BindAddressTest, SaysWhatIsWrongWithAnAddress) {
  EXPECT_NE(why_not("192.0.2.1").find("192.0.2.1:0: this machine has no such address"), std::string::npos)
      << why_not("192.0.2.1");
  for (const char* host : {"no such name", "127.0.0.256", "[", "[]", ""}) {
    const std::string why = why_not(host);
    EXPECT_TRUE(why.starts_with("Cannot listen on \"" + std::string(host) + "\"")) << why;
    EXPECT_NE(why.find("Use 127.0.0.1"), std::string::npos) << why;
  }
}

}  // namespace
}  // namespace parley::app::http
