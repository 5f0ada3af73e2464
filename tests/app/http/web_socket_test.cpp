// The WebSocket layer from outside, over real sockets.
#include "app/http/web_socket.h"

#include <gtest/gtest.h>

#include <string>
#include <thread>
#include <utility>

#include "tests/app/http/test_site.h"
#include "tests/fakes/raw_web_socket.h"

namespace parley::app::http {
namespace {

using std::chrono::milliseconds;
using tests::fakes::make_frame;
using tests::fakes::make_request;
using tests::fakes::Opcode;
using tests::fakes::RawWebSocket;
using tests::fakes::WebSocketFrame;

WebSocketFrame frame_of(Opcode opcode, std::string payload, bool final = true) {
  WebSocketFrame frame;
  frame.opcode = opcode;
  frame.payload = std::move(payload);
  frame.final = final;
  return frame;
}

WebSocketLimits quick_socket_limits() {
  WebSocketLimits limits;
  limits.ping_after = milliseconds(100);
  limits.dead_after = milliseconds(300);
  limits.write_stall = milliseconds(300);
  limits.close = milliseconds(300);
  return limits;
}

class WebSocketTest : public testing::Test {
 protected:
  void SetUp() override { ASSERT_EQ(socket_.upgrade(), 101); }

  // The close code that bytes lead to.
  int close_code_after(const std::string& bytes) {
    socket_.client().send(bytes);
    return socket_.read_close();
  }

  RunningSite site_;
  RawWebSocket socket_{site_.port()};
};

TEST_F(WebSocketTest, CarriesTextBothWays) {
  for (const std::size_t size : {0u, 1u, 125u, 126u, 65535u, 65536u, 1'000'000u}) {
    const std::string text(size, 'a');
    socket_.send_text(text);
    EXPECT_EQ(socket_.read_text(), text) << size;
  }
}

TEST_F(WebSocketTest, JoinsFragmentsAroundControlFrames) {
  socket_.send_frame(frame_of(Opcode::text, "Gr\xC3", false));
  socket_.send_frame(frame_of(Opcode::ping, "are you there"));
  socket_.send_frame(frame_of(Opcode::continuation, "", false));
  socket_.send_frame(frame_of(Opcode::continuation, "\xBC\xC3\x9F"));
  const auto pong = socket_.read_frame();
  ASSERT_TRUE(pong);
  EXPECT_EQ(pong->opcode, Opcode::pong);
  EXPECT_EQ(pong->payload, "are you there");
  EXPECT_EQ(socket_.read_text(), "Gr\xC3\xBC\xC3\x9F");
}

TEST_F(WebSocketTest, TakesMessagesUpToItsLimitAndNoByteMore) {
  const std::string largest(WebSocketLimits{}.max_message, 'a');
  socket_.send_text(largest);
  EXPECT_EQ(socket_.read_text()->size(), largest.size());
  EXPECT_EQ(close_code_after(make_frame(frame_of(Opcode::text, largest + "a"))), 1009);
}

TEST_F(WebSocketTest, CountsFragmentsTogether) {
  const std::string half(WebSocketLimits{}.max_message / 2 + 1, 'a');
  socket_.send_frame(frame_of(Opcode::text, half, false));
  EXPECT_EQ(close_code_after(make_frame(frame_of(Opcode::continuation, half))), 1009);
}

TEST_F(WebSocketTest, RefusesBinaryMessages) {
  EXPECT_EQ(close_code_after(make_frame(frame_of(Opcode::binary, "x"))), 1003);
}

// A closing handshake that waits for a read, which waits for it, once held the connection forever.
TEST(WebSocketClosing, EndsWhenABrokenFrameComesInsteadOfItsAnswer) {
  RunningSite site({}, quick_socket_limits());
  const std::string binary = make_frame(frame_of(Opcode::binary, "x"));
  const std::string asks_to_close = make_frame(frame_of(Opcode::text, "close"));
  for (const std::string& first : {binary, asks_to_close}) {
    RawWebSocket socket(site.port());
    ASSERT_EQ(socket.upgrade(), 101);
    socket.client().send(first + "\x81\x02hi");
    EXPECT_TRUE(socket.client().is_closed_within(milliseconds(3000)));
    EXPECT_TRUE(eventually([&] { return site.num_connections() == 0; }));
  }
}

TEST_F(WebSocketTest, RefusesTextThatIsNotUtf8) {
  EXPECT_EQ(close_code_after(make_frame(frame_of(Opcode::text, "\xC3\x28"))), 1007);
}

TEST_F(WebSocketTest, RefusesUnmaskedFrames) { EXPECT_EQ(close_code_after("\x81\x02hi"), 1002); }

TEST_F(WebSocketTest, RefusesReservedBitsAndOpcodes) {
  EXPECT_EQ(close_code_after(std::string("\xC1\x80\0\0\0\0", 6)), 1002);
}

TEST_F(WebSocketTest, RefusesUnknownOpcodes) {
  EXPECT_EQ(close_code_after(std::string("\x83\x80\0\0\0\0", 6)), 1002);
}

TEST_F(WebSocketTest, RefusesAContinuationOfNothing) {
  EXPECT_EQ(close_code_after(make_frame(frame_of(Opcode::continuation, "x"))), 1002);
}

TEST_F(WebSocketTest, RefusesFragmentedControlFrames) {
  EXPECT_EQ(close_code_after(make_frame(frame_of(Opcode::ping, "x", false))), 1002);
}

TEST_F(WebSocketTest, RefusesLongControlFrames) {
  EXPECT_EQ(close_code_after(make_frame(frame_of(Opcode::ping, std::string(126, 'x')))), 1002);
}

TEST_F(WebSocketTest, RefusesLengthsOfMoreThan63Bits) {
  const int code = close_code_after(std::string("\x81\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\0\0\0\0", 14));
  EXPECT_TRUE(code == 1002 || code == 1009) << code;
}

TEST_F(WebSocketTest, RefusesLengthsThatAreNotMinimal) {
  EXPECT_EQ(close_code_after(std::string("\x81\xFE\0\x05\0\0\0\0hello", 13)), 1002);
}

TEST_F(WebSocketTest, AnswersTheClosingHandshake) {
  EXPECT_EQ(close_code_after(make_frame(frame_of(Opcode::close, "\x03\xE8 bye"))), 1000);
  EXPECT_TRUE(socket_.client().is_closed_within(milliseconds(1000)));
}

TEST_F(WebSocketTest, ClosesWithTheGivenCode) {
  socket_.send_text("close");
  EXPECT_EQ(socket_.read_close(), 1011);
}

TEST_F(WebSocketTest, EndsWhenTheClientIsGone) {
  socket_.client().reset();
  EXPECT_TRUE(eventually([&] { return site_.site().num_gone == 1; }));
}

WebSocketLimits slow_message_limits() {
  WebSocketLimits limits;
  limits.message_rate = {100, milliseconds(300), milliseconds(300)};
  limits.close = milliseconds(300);
  return limits;
}

// Of the close frame: code and reason.
std::pair<int, std::string> close_of(RawWebSocket& socket) {
  while (const auto frame = socket.read_frame()) {
    if (frame->opcode == Opcode::close) return {frame->close_code(), frame->payload.substr(2)};
  }
  return {0, "nothing"};
}

TEST(WebSocketMessageTest, ClosesOnOneThatCameFastAndStalls) {
  RunningSite site({}, slow_message_limits());
  RawWebSocket socket(site.port());
  ASSERT_EQ(socket.upgrade(), 101);
  socket.send_frame(frame_of(Opcode::text, std::string(100'000, 'a'), false));
  EXPECT_EQ(close_of(socket), std::pair(1008, std::string("the message comes too slowly; send it again")));
  EXPECT_TRUE(eventually([&] { return site.num_connections() == 0; }, milliseconds(2000)));
}

TEST(WebSocketMessageTest, ClosesOnOneThatStallsInTheMiddleOfAFrame) {
  RunningSite site({}, slow_message_limits());
  RawWebSocket socket(site.port());
  ASSERT_EQ(socket.upgrade(), 101);
  const std::string frame = make_frame(frame_of(Opcode::text, std::string(10'000, 'a')));
  socket.client().send(frame.substr(0, frame.size() - 1));
  EXPECT_EQ(socket.read_close(), 1008);
  EXPECT_TRUE(eventually([&] { return site.num_connections() == 0; }, milliseconds(2000)));
}

TEST(WebSocketMessageTest, CountsNeitherPongsNorSingleBytesAsProgress) {
  RunningSite site({}, slow_message_limits());
  RawWebSocket socket(site.port());
  ASSERT_EQ(socket.upgrade(), 101);
  socket.send_frame(frame_of(Opcode::text, std::string(10'000, 'a'), false));
  int num_sent = 0;
  const auto send_little = [&] {
    return socket.send_frame(frame_of(Opcode::pong, "")) &&
           socket.send_frame(frame_of(Opcode::continuation, "b", false));
  };
  while (num_sent < 60 && send_little() && !socket.client().is_closed_within(milliseconds(50))) ++num_sent;
  EXPECT_LT(num_sent, 30);
}

TEST(WebSocketMessageTest, TakesOneThatComesSlowlyButSteadily) {
  RunningSite site({}, slow_message_limits());
  RawWebSocket socket(site.port());
  ASSERT_EQ(socket.upgrade(), 101);
  socket.send_frame(frame_of(Opcode::text, "begin ", false));
  for (int i = 0; i < 20; ++i) {
    socket.send_frame(frame_of(Opcode::continuation, "0123456789", false));
    std::this_thread::sleep_for(milliseconds(50));
  }
  socket.send_frame(frame_of(Opcode::continuation, "end"));
  EXPECT_EQ(socket.read_text().value_or("").size(), 6u + 200u + 3u);
  std::this_thread::sleep_for(milliseconds(400));  // between messages nothing is due
  socket.send_text("next");
  EXPECT_EQ(socket.read_text(), "next");
}

TEST(WebSocketMessageTest, BoundsUnfinishedOnesTogether) {
  HttpLimits limits;
  limits.max_unfinished = 6000;
  limits.uncounted_unfinished = 1000;
  RunningSite site(limits);
  RawWebSocket first(site.port());
  ASSERT_EQ(first.upgrade(), 101);
  first.send_frame(frame_of(Opcode::text, std::string(5000, 'a'), false));
  std::this_thread::sleep_for(milliseconds(100));
  RawWebSocket second(site.port());
  ASSERT_EQ(second.upgrade(), 101);
  second.send_frame(frame_of(Opcode::text, std::string(5000, 'a'), false));
  EXPECT_EQ(close_of(second),
            std::pair(1013, std::string("too much comes at once; send it again in a moment")));
  first.send_frame(frame_of(Opcode::continuation, "b"));
  EXPECT_EQ(first.read_text().value_or("").size(), 5001u);
  first.send_frame(frame_of(Opcode::text, std::string(5000, 'a'), false));
  first.send_frame(frame_of(Opcode::continuation, "b"));
  EXPECT_EQ(first.read_text().value_or("").size(), 5001u) << "what has ended is given back";
}

TEST(WebSocketHandshakeTest, OffersNoCompression) {
  RunningSite site;
  tests::fakes::RawClient client(site.port());
  client.send(make_request("GET", "/ws", site.port(),
                           "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
                           "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
                           "Sec-WebSocket-Extensions: permessage-deflate\r\n"));
  const auto answer = client.read_answer(/*to_head_request=*/true);
  EXPECT_EQ(answer.status, 101);
  EXPECT_EQ(answer.fields.at("sec-websocket-accept"), "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=");
  EXPECT_EQ(answer.fields.count("sec-websocket-extensions"), 0u);
}

TEST(WebSocketHandshakeTest, TakesAFrameSentTogetherWithTheHandshake) {
  RunningSite site;
  RawWebSocket socket(site.port());
  socket.client().send(
      make_request("GET", "/ws", site.port(),
                   "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
                   "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n") +
      make_frame(frame_of(Opcode::text, "early")));
  EXPECT_EQ(socket.client().read_answer(/*to_head_request=*/true).status, 101);
  EXPECT_EQ(socket.read_text(), "early");
}

TEST(WebSocketHandshakeTest, TakesAsLargeAHeadAsHttpDoes) {
  RunningSite site;
  for (const std::size_t size : {1'536u, 4'096u, 15'360u}) {
    RawWebSocket socket(site.port());
    EXPECT_EQ(socket.upgrade("/ws", "Cookie: a=" + std::string(size, 'c') + "\r\n"), 101) << size;
    socket.send_text("hello");
    EXPECT_EQ(socket.read_text(), "hello") << size;
  }
  RawWebSocket larger(site.port());
  EXPECT_EQ(larger.upgrade("/ws", "Cookie: a=" + std::string(16'384, 'c') + "\r\n"), 431);
}

TEST(WebSocketHandshakeTest, RefusesManyBytesBehindTheHandshakeInsteadOfLosingThem) {
  RunningSite site;
  for (const auto& [size, status] : {std::pair<std::size_t, int>{900, 101}, {1100, 400}}) {
    RawWebSocket socket(site.port());
    const std::string text(size, 'a');
    socket.client().send(
        make_request("GET", "/ws", site.port(),
                     "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
                     "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nCookie: a=" +
                         std::string(4000, 'c') + "\r\n") +
        make_frame(frame_of(Opcode::text, text)));
    EXPECT_EQ(socket.client().read_answer(status == 101).status, status);
    if (status == 101) {
      EXPECT_EQ(socket.read_text(), text);
    } else {
      EXPECT_TRUE(socket.client().is_closed_within(milliseconds(3000)));
    }
  }
}

TEST(WebSocketSilenceTest, PingsASilentClientAndKeepsOneThatAnswers) {
  RunningSite site({}, quick_socket_limits());
  RawWebSocket socket(site.port());
  ASSERT_EQ(socket.upgrade(), 101);
  for (int i = 0; i < 6; ++i) {
    auto ping = socket.read_frame();
    ASSERT_TRUE(ping) << i;
    EXPECT_EQ(ping->opcode, Opcode::ping);
    ping->opcode = Opcode::pong;
    socket.send_frame(*ping);
  }
  socket.send_text("still here");
  EXPECT_EQ(socket.read_text(), "still here");
}

TEST(WebSocketSilenceTest, DropsAClientThatDoesNotAnswer) {
  RunningSite site({}, quick_socket_limits());
  RawWebSocket socket(site.port());
  ASSERT_EQ(socket.upgrade(), 101);
  EXPECT_TRUE(eventually([&] { return site.site().num_gone == 1; }, milliseconds(2000)));
  EXPECT_TRUE(eventually([&] { return site.num_connections() == 0; }));
}

TEST(WebSocketSilenceTest, WaitsForASlowClientThatGoesOnReading) {
  WebSocketLimits limits;
  limits.write_stall = milliseconds(300);
  RunningSite site({}, limits);
  RawWebSocket socket(site.port());
  ASSERT_EQ(socket.upgrade(), 101);
  socket.send_text("large");
  std::size_t received = 0;
  for (int i = 0; i < 40; ++i) {
    received += socket.client().read_exactly(128u << 10).size();
    std::this_thread::sleep_for(milliseconds(50));
  }
  EXPECT_LT(received, kLargeMessage);  // it took longer than the limit
  while (received < kLargeMessage) {
    const std::size_t more = socket.client().read_exactly(1u << 10).size();
    if (more == 0) break;
    received += more;
  }
  EXPECT_GE(received, kLargeMessage);
  EXPECT_EQ(site.site().num_gone, 0);
}

TEST(WebSocketSilenceTest, SendsLargeMessagesWhole) {
  RunningSite site;
  RawWebSocket socket(site.port());
  ASSERT_EQ(socket.upgrade(), 101);
  socket.send_text("large");
  EXPECT_EQ(socket.read_text(), std::string(kLargeMessage, 'x'));
  socket.send_text("next");
  EXPECT_EQ(socket.read_text(), "next");
}

TEST(WebSocketSilenceTest, DropsAClientThatDoesNotRead) {
  RunningSite site({}, quick_socket_limits());
  RawWebSocket socket(site.port());
  ASSERT_EQ(socket.upgrade(), 101);
  socket.send_text("flood");
  EXPECT_TRUE(eventually([&] { return site.site().num_gone == 2; }, milliseconds(3000)));
}

TEST(WebSocketSilenceTest, DoesNotWaitForAClosingHandshakeForEver) {
  RunningSite site({}, quick_socket_limits());
  RawWebSocket socket(site.port());
  ASSERT_EQ(socket.upgrade(), 101);
  socket.send_text("close");
  EXPECT_TRUE(eventually([&] { return site.num_connections() == 0; }, milliseconds(2000)));
}

}  // namespace
}  // namespace parley::app::http
