#include "app/http/peer_owner.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <string>
#include <vector>

namespace parley::app::http {
namespace {

using boost::asio::ip::tcp;
using boost::system::error_code;

constexpr int kReadings = 3;  // connections that come and go while the table is read may make it skip one
constexpr std::string_view kEstablished = "01";
// Of a line's fields: its number, the two addresses, the state; behind queue, timer and retransmissions the
// user.
constexpr std::size_t kLocal = 1;
constexpr std::size_t kRemote = 2;
constexpr std::size_t kState = 3;
constexpr std::size_t kUser = 7;

template <typename Bytes>
void append_words(std::string& text, const Bytes& bytes) {
  for (std::size_t at = 0; at < bytes.size(); at += 4) {
    std::uint32_t word = 0;
    std::memcpy(&word, bytes.data() + at,
                4);  // the kernel prints each as a number of this machine's byte order
    std::array<char, 9> digits{};
    std::snprintf(digits.data(), digits.size(), "%08X", word);
    text += digits.data();
  }
}

// As the table writes it: 0100007F:1F90.
std::string table_text(const tcp::endpoint& endpoint) {
  std::string text;
  if (endpoint.address().is_v4()) {
    append_words(text, endpoint.address().to_v4().to_bytes());
  } else {
    append_words(text, endpoint.address().to_v6().to_bytes());
  }
  std::array<char, 6> port{};
  std::snprintf(port.data(), port.size(), ":%04X", static_cast<unsigned>(endpoint.port()));
  return text + port.data();
}

std::vector<std::string_view> fields_of(std::string_view line) {
  std::vector<std::string_view> fields;
  while (fields.size() <= kUser) {
    const std::size_t begin = line.find_first_not_of(' ');
    if (begin == std::string_view::npos) break;
    line.remove_prefix(begin);
    const std::size_t end = std::min(line.find(' '), line.size());
    fields.push_back(line.substr(0, end));
    line.remove_prefix(end);
  }
  return fields;
}

}  // namespace

std::optional<uid_t> user_in_line(std::string_view line, const tcp::endpoint& from, const tcp::endpoint& to) {
  const std::vector<std::string_view> fields = fields_of(line);
  if (fields.size() <= kUser || fields[kState] != kEstablished) return std::nullopt;
  if (fields[kLocal] != table_text(from) || fields[kRemote] != table_text(to)) return std::nullopt;
  const std::string_view text = fields[kUser];
  uid_t user = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), user);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return user;
}

std::optional<uid_t> owner_of_peer(const tcp::socket& socket) {
  error_code error;
  const tcp::endpoint peer = socket.remote_endpoint(error);
  if (error) return std::nullopt;
  const tcp::endpoint own = socket.local_endpoint(error);
  if (error) return std::nullopt;
  std::ifstream table(peer.address().is_v4() ? "/proc/net/tcp" : "/proc/net/tcp6");
  for (std::string line; std::getline(table, line);) {
    if (const auto user = user_in_line(line, peer, own)) return user;
  }
  return std::nullopt;
}

bool may_connect(const tcp::socket& socket, const UserRange& refused) {
  for (int reading = 0; reading < kReadings; ++reading) {
    const std::optional<uid_t> user = owner_of_peer(socket);
    if (user) return *user < refused.first || *user > refused.last;
  }
  return false;
}

}  // namespace parley::app::http
