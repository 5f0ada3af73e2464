#include "tests/fakes/raw_web_socket.h"

namespace parley::tests::fakes {
namespace {

constexpr std::string_view kMask = "\x12\x34\x56\x78";

std::uint64_t number_of(std::string_view bytes) {
  std::uint64_t number = 0;
  for (const char byte : bytes) number = number << 8 | static_cast<unsigned char>(byte);
  return number;
}

}  // namespace

int WebSocketFrame::close_code() const {
  return payload.size() < 2 ? 0 : static_cast<int>(number_of(std::string_view(payload).substr(0, 2)));
}

std::string make_frame(const WebSocketFrame& frame) {
  std::string bytes(1, static_cast<char>((frame.final ? 0x80 : 0) | static_cast<int>(frame.opcode)));
  const std::size_t size = frame.payload.size();
  const std::size_t length_bytes = size < 126 ? 0 : size < 65536 ? 2 : 8;
  bytes += static_cast<char>(0x80 | (length_bytes == 0 ? size : length_bytes == 2 ? 126 : 127));
  for (std::size_t i = length_bytes; i > 0; --i) bytes += static_cast<char>(size >> (8 * (i - 1)));
  bytes += kMask;
  for (std::size_t i = 0; i < size; ++i) bytes += static_cast<char>(frame.payload[i] ^ kMask[i % 4]);
  return bytes;
}

int RawWebSocket::upgrade(std::string_view path, std::string_view more_fields) {
  std::string fields =
      "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
      "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n";
  fields += more_fields;
  client_.send(make_request("GET", path, port_, fields));
  return client_.read_answer(true).status;
}

bool RawWebSocket::send_text(std::string_view text) {
  WebSocketFrame frame;
  frame.payload = text;
  return send_frame(frame);
}

bool RawWebSocket::send_frame(const WebSocketFrame& frame) { return client_.send(make_frame(frame)); }

std::optional<WebSocketFrame> RawWebSocket::read_frame() {
  const std::string head = client_.read_exactly(2);
  if (head.size() < 2) return std::nullopt;
  WebSocketFrame frame;
  frame.opcode = static_cast<Opcode>(head[0] & 15);
  frame.final = (head[0] & 0x80) != 0;
  std::uint64_t size = static_cast<unsigned char>(head[1]) & 127;
  if (size == 126) size = number_of(client_.read_exactly(2));
  if (size == 127) size = number_of(client_.read_exactly(8));
  frame.payload = client_.read_exactly(size);
  if (frame.payload.size() != size) return std::nullopt;
  return frame;
}

std::optional<std::string> RawWebSocket::read_text() {
  std::string text;
  while (auto frame = read_frame()) {
    if (frame->opcode == Opcode::close) return std::nullopt;
    if (frame->opcode == Opcode::ping) {
      frame->opcode = Opcode::pong;
      send_frame(*frame);
    } else if (frame->opcode != Opcode::pong) {
      text += frame->payload;
      if (frame->final) return text;
    }
  }
  return std::nullopt;
}

int RawWebSocket::read_close() {
  while (auto frame = read_frame()) {
    if (frame->opcode == Opcode::close) return frame->close_code();
  }
  return 0;
}

}  // namespace parley::tests::fakes
