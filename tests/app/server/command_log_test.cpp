#include "app/server/command_log.h"

#include <gtest/gtest.h>

#include <string>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>

namespace parley::app::server {
namespace {

namespace asio = boost::asio;

class CommandLogTest : public testing::Test {
 protected:
  // "fresh", "conflict", the answer, or "waits".
  std::string begin(const std::string& id, const std::string& text) {
    auto result = std::make_shared<std::string>("waits");
    asio::co_spawn(io_, look_up(id, text, result), asio::detached);
    poll();
    last_ = result;
    return *result;
  }
  void poll() {
    io_.restart();
    io_.poll();
  }
  asio::awaitable<void> look_up(std::string id, std::string text, std::shared_ptr<std::string> result) {
    const auto found = co_await log_.begin(std::move(id), std::move(text));
    if (std::holds_alternative<CommandLog::Fresh>(found)) {
      *result = "fresh";
    } else if (std::holds_alternative<CommandLog::Conflict>(found)) {
      *result = "conflict";
    } else {
      *result = std::get<std::string>(found);
    }
  }

  asio::io_context io_;
  CommandLog log_{io_.get_executor(), 2};
  std::shared_ptr<std::string> last_;
};

TEST_F(CommandLogTest, RemembersAnswers) {
  EXPECT_EQ(begin("a", "text"), "fresh");
  log_.finish("a", "done");
  EXPECT_EQ(begin("a", "text"), "done");
  EXPECT_EQ(begin("a", "other"), "conflict");
}

TEST_F(CommandLogTest, LetsARepeatedCommandWait) {
  begin("a", "text");
  EXPECT_EQ(begin("a", "text"), "waits");
  log_.finish("a", "done");
  poll();
  EXPECT_EQ(*last_, "done");
}

TEST_F(CommandLogTest, LetsACommandThatFailedBeTriedAgain) {
  begin("a", "text");
  EXPECT_EQ(begin("a", "text"), "waits");
  log_.abandon("a");
  poll();
  EXPECT_EQ(*last_, "fresh");
}

TEST_F(CommandLogTest, ForgetsTheOldest) {
  for (const char* id : {"a", "b", "c"}) {
    begin(id, "text");
    log_.finish(id, "done");
  }
  EXPECT_EQ(begin("c", "text"), "done");
  EXPECT_EQ(begin("b", "text"), "done");
  EXPECT_EQ(begin("a", "text"), "fresh");
}

}  // namespace
}  // namespace parley::app::server
