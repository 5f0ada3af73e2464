#include "app/http/peer_owner.h"

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/app/http/test_site.h"
#include "tests/fakes/raw_client.h"

namespace parley::app::http {
namespace {

using boost::asio::ip::make_address;
using boost::asio::ip::tcp;
using tests::fakes::make_request;
using tests::fakes::RawClient;

constexpr uid_t kTool = 60600;

tcp::endpoint endpoint(const char* address, std::uint16_t port) { return {make_address(address), port}; }

TEST(PeerOwnerTest, ReadsTheKernelsTable) {
  const std::string v4 =
      "   2: 0100007F:8AB9 0100007F:1F90 01 00000000:00000000 00:00000000 00000000 60600        0 99 1 0 20 "
      "4 0 10 -1";
  const tcp::endpoint from = endpoint("127.0.0.1", 0x8AB9);
  const tcp::endpoint to = endpoint("127.0.0.1", 0x1F90);
  EXPECT_EQ(user_in_line(v4, from, to), kTool);
  EXPECT_EQ(user_in_line(v4, to, from), std::nullopt) << "our own end of it";
  EXPECT_EQ(user_in_line(v4, endpoint("127.0.0.2", 0x8AB9), to), std::nullopt);
  std::string closing = v4;
  closing.replace(closing.find(" 01 "), 4, " 06 ");
  EXPECT_EQ(user_in_line(closing, from, to), std::nullopt);
  const std::string v6 =
      "   0: 00000000000000000000000001000000:ABCD 00000000000000000000000001000000:1F90 01 "
      "00000000:00000000 "
      "00:00000000 00000000  1000        0 7 1 0";
  EXPECT_EQ(user_in_line(v6, endpoint("::1", 0xABCD), endpoint("::1", 0x1F90)), 1000U);
  for (const char* odd : {"", "  sl  local_address rem_address   st", "0: 0100007F:8AB9 0100007F:1F90 01"})
    EXPECT_EQ(user_in_line(odd, from, to), std::nullopt);
}

// What somebody of that user gets as an answer's first byte; 0: the connection was closed without one.
// Between fork and its end the child calls the kernel only.
char first_byte_for(uid_t user, std::uint16_t port, const std::string& request) {
  sockaddr_in address = {};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  const pid_t child = ::fork();
  if (child == 0) {
    char first = 0;
    if (::syscall(SYS_setresuid, user, user, user) != 0) ::_exit(255);
    const int client = ::socket(AF_INET, SOCK_STREAM, 0);
    const bool sent = ::connect(client, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0 &&
                      ::write(client, request.data(), request.size()) > 0;
    const bool answered = sent && ::read(client, &first, 1) == 1;
    ::_exit(answered ? first : 0);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  EXPECT_TRUE(WIFEXITED(status));
  return static_cast<char>(WEXITSTATUS(status));
}

TEST(PeerOwnerTest, ProgramsOfRefusedUsersAreNotServedAndOthersAre) {
  for (const char* host : {"127.0.0.1", "::1"}) {
    RunningSite site({}, {}, host, UserRange{kTool, kTool + 583});
    RawClient client(site.port(), host);
    client.send(make_request("POST", "/echo", site.port(), "", "served"));
    EXPECT_EQ(client.read_answer().body, "served") << host;
  }
  if (::geteuid() != 0) GTEST_SKIP() << "NOT TESTED: other users can be tried by root only";
  RunningSite site({}, {}, "127.0.0.1", UserRange{kTool, kTool + 583});
  const std::string request = make_request("POST", "/echo", site.port(), "", "x");
  EXPECT_EQ(first_byte_for(kTool, site.port(), request), 0);
  EXPECT_EQ(first_byte_for(kTool + 583, site.port(), request), 0);
  EXPECT_EQ(first_byte_for(kTool + 584, site.port(), request), 'H');
  EXPECT_EQ(first_byte_for(1000, site.port(), request), 'H');
  RunningSite open;
  EXPECT_EQ(first_byte_for(kTool, open.port(), make_request("POST", "/echo", open.port(), "", "x")), 'H');
}

}  // namespace
}  // namespace parley::app::http
