#include "app/documents/control_socket.h"

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <atomic>
#include <cstring>
#include <thread>
#include <vector>

#include "inference/json/fields.h"
#include "tests/fakes/temp_directory.h"

namespace parley::app::documents {
namespace {

using inference::json::JsonObject;

// Answers with what it was asked.
class EchoService final : public DocumentService {
 public:
  JsonObject answer(const JsonObject& request) override { return {{"asked", request}}; }
};

class ControlSocketTest : public testing::Test {
 protected:
  // One exchange by hand.
  std::string exchange(const std::string& bytes) {
    const int connection = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    const std::string path = (folder_.path() / "parley.sock").string();
    std::strncpy(address.sun_path, path.c_str(), sizeof address.sun_path - 1);
    EXPECT_EQ(::connect(connection, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
    EXPECT_EQ(::send(connection, bytes.data(), bytes.size(), MSG_NOSIGNAL),
              static_cast<ssize_t>(bytes.size()));
    std::string answer(4096, '\0');
    const ssize_t size = ::recv(connection, answer.data(), answer.size(), 0);
    ::close(connection);
    answer.resize(size > 0 ? static_cast<std::size_t>(size) : 0);
    return answer;
  }

  tests::fakes::TempDirectory folder_;
  EchoService service_;
};

TEST_F(ControlSocketTest, AQuestionGetsTheServicesAnswer) {
  const auto socket = open_control_socket(folder_.path(), service_);
  const auto answer = ask_server(folder_.path(), {{"command", "list"}, {"text", "two\nlines \u00e9"}});
  ASSERT_TRUE(answer);
  EXPECT_EQ(inference::json::text_field(answer->at("asked").as_object(), "text"), "two\nlines \u00e9");
}

TEST_F(ControlSocketTest, WhereNoServerRunsNobodyAnswers) {
  EXPECT_FALSE(ask_server(folder_.path(), {}));
  EXPECT_FALSE(ask_server(folder_.path() / "none", {}));
  { const auto socket = open_control_socket(folder_.path(), service_); }
  EXPECT_FALSE(ask_server(folder_.path(), {}));
  EXPECT_FALSE(std::filesystem::exists(folder_.path() / "parley.sock"));
}

TEST_F(ControlSocketTest, WhatAKilledServerLeftIsReplacedAndPrivate) {
  std::filesystem::create_directory(folder_.path() / "data");
  ::mknod((folder_.path() / "parley.sock").c_str(), S_IFSOCK | 0777, 0);
  const auto socket = open_control_socket(folder_.path(), service_);
  EXPECT_TRUE(ask_server(folder_.path(), {}));
  struct stat status {};
  ASSERT_EQ(::stat((folder_.path() / "parley.sock").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0600u);
}

TEST_F(ControlSocketTest, WhatIsNoObjectIsRefusedAndTheNextOneServed) {
  const auto socket = open_control_socket(folder_.path(), service_);
  EXPECT_NE(exchange("[1, 2]\n").find("no JSON object"), std::string::npos);
  EXPECT_NE(exchange("{\"a\":\n").find("no JSON object"), std::string::npos);
  EXPECT_EQ(exchange(std::string(100'000, 'x') + "\n"), "");  // longer than a request may be
  EXPECT_TRUE(ask_server(folder_.path(), {}));
}

TEST_F(ControlSocketTest, ManyMayAskAtATime) {
  const auto socket = open_control_socket(folder_.path(), service_);
  std::vector<std::thread> askers;
  std::atomic<int> answered{0};
  for (int i = 0; i < 8; ++i) {
    askers.emplace_back([&] {
      for (int n = 0; n < 20; ++n) answered += ask_server(folder_.path(), {{"n", n}}) ? 1 : 0;
    });
  }
  for (auto& asker : askers) asker.join();
  EXPECT_EQ(answered, 160);
}

TEST_F(ControlSocketTest, AFolderWithALongNameIsReachedToo) {
  const auto deep = folder_.path() / std::string(120, 'd') / std::string(120, 'e');
  std::filesystem::create_directories(deep);
  const auto socket = open_control_socket(deep, service_);
  EXPECT_TRUE(ask_server(deep, {}));
}

}  // namespace
}  // namespace parley::app::documents
