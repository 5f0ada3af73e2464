#pragma once
// A blocking TCP client for tests: sends exactly the bytes it is told, reads with a time limit. Failures to
// connect throw; an answer that does not come is an empty one.

#include <chrono>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>

namespace parley::tests::fakes {

struct HttpAnswer {
  int status = 0;  // 0: none came
  std::string head;
  std::map<std::string, std::string> fields;  // names in lower case
  std::string body;                           // chunks joined
};

class RawClient {
 public:
  explicit RawClient(std::uint16_t port, const std::string& host = "127.0.0.1");
  ~RawClient();
  RawClient(const RawClient&) = delete;
  RawClient& operator=(const RawClient&) = delete;

  bool send(std::string_view bytes);  // false: the other side has closed
  // Everything up to and with `mark`; shorter when the time is up or the other side closes.
  std::string read_until(std::string_view mark);
  std::string read_exactly(std::size_t count);
  std::string read_to_end();                               // until the other side closes
  bool is_closed_within(std::chrono::milliseconds limit);  // drops what comes before
  HttpAnswer read_answer(bool to_head_request = false);

  void finish_sending();  // FIN
  void reset();           // RST
  void set_patience(std::chrono::milliseconds patience) { patience_ = patience; }

 private:
  bool receive(std::chrono::milliseconds limit);
  std::string take(std::size_t count);
  std::string read_chunks();

  int socket_ = -1;
  std::string buffer_;
  std::chrono::milliseconds patience_{10'000};
};

// A request in one piece: "POST", "/v1/x", body; Host and Content-Length are added. `fields` lines end with
// CR LF.
std::string make_request(std::string_view method, std::string_view target, std::uint16_t port,
                         std::string_view fields = {}, std::string_view body = {});

}  // namespace parley::tests::fakes
