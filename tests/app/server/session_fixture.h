#pragma once
// A browser's socket on a running server with a fake hub, the greeting already read. Test thread.

#include <gtest/gtest.h>

#include <cstddef>
#include <string>
#include <vector>

#include "tests/app/server/running_server.h"
#include "tests/fakes/raw_web_socket.h"

namespace parley::app::server {

inline const std::string kChat = "22222222-2222-4222-8222-222222222222";
inline const std::string kOther = "33333333-3333-4333-8333-333333333333";
inline const std::string kMessage = "44444444-4444-4444-8444-444444444444";

// The id of a command.
inline std::string id_of(int number) {
  const std::string digits = std::to_string(number);
  return "11111111-1111-4111-8111-" + std::string(12 - digits.size(), '0') + digits;
}

inline std::string command(const std::string& type, int id, const std::string& conversation,
                           const std::string& more = "") {
  return R"({"type":")" + type + R"(","id":")" + id_of(id) + R"(","conversation":")" + conversation + "\"" +
         more + "}";
}

class SessionFixture : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_EQ(socket_.upgrade(), 101);
    hello_ = socket_.read_text().value_or("");
  }

  std::string ask(const std::string& frame) {
    socket_.send_text(frame);
    return socket_.read_text().value_or("closed");
  }

  std::vector<std::string> commands() {
    return server_.on_io([&] { return server_.hub.commands; });
  }

  // Waits until the hub has as many subscriptions; false when it does not come to that.
  bool comes_to_subscriptions(int count) {
    return eventually([&] { return server_.on_io([&] { return server_.hub.num_subscriptions; }) == count; });
  }

  // Text of kMessage in kChat.
  void tell_delta(std::size_t offset, const std::string& text) {
    server_.on_io([&] {
      server_.hub.tell(kChat, orchestration::turn::TextDelta{kMessage, 1, offset, text});
    });
  }

  RunningServer server_;
  tests::fakes::RawWebSocket socket_{server_.port()};
  std::string hello_;
};

}  // namespace parley::app::server
