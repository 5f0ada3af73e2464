// Mutated requests and frames: whatever comes in, it ends, and the next client is served. PARLEY_FUZZ_ROUNDS
// sets how many rounds each test does.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "app/http/head_scanner.h"
#include "app/http/request_parser.h"
#include "tests/app/http/test_site.h"
#include "tests/fakes/mutator.h"
#include "tests/fakes/raw_client.h"
#include "tests/fakes/raw_web_socket.h"

namespace parley::app::http {
namespace {

using std::chrono::milliseconds;
using tests::fakes::fuzz_rounds;
using tests::fakes::make_frame;
using tests::fakes::make_request;
using tests::fakes::Mutator;
using tests::fakes::Opcode;
using tests::fakes::RawClient;
using tests::fakes::RawWebSocket;
using tests::fakes::WebSocketFrame;

std::vector<std::string> requests(std::uint16_t port) {
  return {
      make_request("GET", "/stream?a=b", port, "Accept: */*\r\nConnection: keep-alive\r\n"),
      make_request("POST", "/echo", port, "Content-Type: text/plain\r\n", "hello"),
      make_request("POST", "/echo", port, "Transfer-Encoding: chunked\r\n") +
          "5\r\nhello\r\n3;a=b\r\nabc\r\n0\r\nX: y\r\n\r\n",
      make_request("POST", "/echo", port, "Expect: 100-continue\r\n", "wait"),
      make_request("GET", "/ws", port,
                   "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
                   "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n") +
          "\x81\x82\x01\x02\x03\x04hi",
      "GET / HTTP/1.0\r\nHost: a\r\n\r\n",
      make_request("HEAD", "/echo", port) + make_request("GET", "/forget", port),
  };
}

// What reading one request from these bytes gives: 0, or the status of a refusal.
int read_one(std::string bytes) {
  HeadScanner scanner(HttpLimits{});
  const auto scanned = scanner.scan(bytes);
  if (const auto* refusal = std::get_if<Refusal>(&scanned)) return refusal->status;
  if (std::holds_alternative<HeadScanner::NeedMore>(scanned)) return 0;
  const std::size_t length = std::get<std::size_t>(scanned);
  const auto parser = make_request_parser(HttpLimits{});
  if (const auto refusal = parser->parse_head(bytes.substr(0, length))) return refusal->status;
  if (const auto refusal = parser->limit_body(1000)) return refusal->status;
  bytes.erase(0, length);
  while (!parser->done() && !bytes.empty()) {
    const auto fed = parser->feed(bytes);
    if (const auto* refusal = std::get_if<Refusal>(&fed)) return refusal->status;
    if (std::get<std::size_t>(fed) == 0) break;
    bytes.erase(0, std::get<std::size_t>(fed));
  }
  if (!parser->done()) return 0;
  EXPECT_LE(parser->take_body().size(), 1000u);
  return 0;
}

TEST(HttpFuzzTest, ParsingAnyBytesEnds) {
  Mutator mutator(requests(8080), 1);
  int num_taken = 0;
  int num_refused = 0;
  for (std::size_t round = 0; round < fuzz_rounds(40'000); ++round) {
    const std::string bytes = mutator.next();
    const int status = read_one(bytes);
    ASSERT_TRUE(status == 0 || (status >= 400 && status < 600)) << bytes;
    ++(status == 0 ? num_taken : num_refused);
  }
  EXPECT_GT(num_taken, 0);
  EXPECT_GT(num_refused, 0);
}

TEST(HttpFuzzTest, AnyBytesOnAConnectionLeaveTheServerServing) {
  HttpLimits limits;
  limits.linger = milliseconds(50);
  RunningSite site(limits);
  Mutator mutator(requests(site.port()), 2);
  for (std::size_t round = 0; round < fuzz_rounds(40'000) / 20; ++round) {
    RawClient client(site.port());
    client.send(mutator.next());
    client.finish_sending();
    ASSERT_TRUE(client.is_closed_within(milliseconds(5000))) << round;
  }
  RawClient next(site.port());
  next.send(make_request("POST", "/echo", site.port(), "", "still here"));
  EXPECT_EQ(next.read_answer().body, "still here");
  EXPECT_TRUE(eventually([&] { return site.num_connections() == 1; }));
}

TEST(HttpFuzzTest, AnyFramesLeaveTheServerServing) {
  WebSocketLimits limits;
  limits.close = milliseconds(100);
  RunningSite site({}, limits);
  const auto frame = [](Opcode opcode, const std::string& payload, bool final) {
    WebSocketFrame made;
    made.opcode = opcode;
    made.payload = payload;
    made.final = final;
    return make_frame(made);
  };
  Mutator mutator({frame(Opcode::text, "hello", true), frame(Opcode::text, std::string(300, 'x'), true),
                   frame(Opcode::text, "a", false) + frame(Opcode::ping, "p", true) +
                       frame(Opcode::continuation, "b", true),
                   frame(Opcode::close, "\x03\xE8", true), frame(Opcode::binary, "b", true),
                   frame(Opcode::pong, "", true)},
                  3);
  for (std::size_t round = 0; round < fuzz_rounds(40'000) / 20; ++round) {
    RawWebSocket socket(site.port());
    ASSERT_EQ(socket.upgrade(), 101);
    const std::string bytes = mutator.next() + mutator.next();
    socket.client().send(bytes);
    socket.client().finish_sending();
    ASSERT_TRUE(socket.client().is_closed_within(milliseconds(8000))) << testing::PrintToString(bytes);
    ASSERT_TRUE(eventually([&] { return site.num_connections() == 0; })) << testing::PrintToString(bytes);
  }
  RawWebSocket next(site.port());
  ASSERT_EQ(next.upgrade(), 101);
  next.send_text("still here");
  EXPECT_EQ(next.read_text(), "still here");
}

}  // namespace
}  // namespace parley::app::http
