#include "app/api/generation.h"

#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>

#include "tests/app/api/fake_exchange.h"

namespace parley::app::api {
namespace {

namespace asio = boost::asio;
namespace turn = orchestration::turn;
using std::chrono::milliseconds;

// Gives its events after a pause each; cancelled, it ends.
class TimedStream : public turn::ChatStream {
 public:
  TimedStream(const asio::any_io_executor& executor, std::vector<turn::ChatEvent> events, milliseconds pause,
              bool& alive)
      : timer_(executor), events_(std::move(events)), pause_(pause), alive_(alive) {
    alive_ = true;
  }
  ~TimedStream() override { alive_ = false; }

  int left_out_turns() const override { return 0; }
  std::optional<std::vector<std::int32_t>> continued_ids() const override { return std::nullopt; }
  void cancel() override {
    cancelled_ = true;
    timer_.cancel();
  }
  asio::awaitable<turn::ChatEvent> next() override {
    boost::system::error_code ignored;
    timer_.expires_after(pause_);
    co_await timer_.async_wait(asio::redirect_error(asio::use_awaitable, ignored));
    if (cancelled_) {
      turn::ChatFinished finished;
      finished.stop_reason = "stopped";
      co_return finished;
    }
    co_return events_.at(next_++);
  }

 private:
  asio::steady_timer timer_;
  std::vector<turn::ChatEvent> events_;
  milliseconds pause_;
  bool& alive_;
  std::size_t next_ = 0;
  bool cancelled_ = false;
};

turn::ChatDelta delta_of(const std::string& text) {
  turn::ChatDelta delta;
  delta.text = text;
  delta.token_ids.push_back(1);
  return delta;
}

turn::ChatFinished finish_of(const std::string& rest, const std::string& reason) {
  turn::ChatFinished finished;
  finished.text = rest;
  finished.stop_reason = reason;
  finished.usage.completion_tokens = 2;
  return finished;
}

turn::ChatDelta call_part(orchestration::calls::CallEvent event) {
  turn::ChatDelta delta;
  delta.calls.push_back(std::move(event));
  return delta;
}

const std::vector<turn::ChatEvent> kCallEvents = {
    call_part(orchestration::calls::CallPending{}), call_part(orchestration::calls::CallBegin{0, "f", "x"}),
    call_part(orchestration::calls::ArgumentsDelta{0, "{\"a\""}),
    call_part(orchestration::calls::ArgumentsDelta{0, ":1}"}), call_part(orchestration::calls::CallEnd{})};

std::vector<turn::ChatEvent> call_events(turn::ChatFinished finished) {
  auto events = kCallEvents;
  events.emplace_back(std::move(finished));
  return events;
}

// The deltas of a stream, one behind the other.
std::string joined_deltas(const std::string& sent) {
  std::string text;
  constexpr std::string_view kBegin = "\"delta\":";
  for (std::size_t at = 0; (at = sent.find(kBegin, at)) != std::string::npos;) {
    at += kBegin.size();
    text += sent.substr(at, sent.find(",\"logprobs\"", at) - at);
  }
  return text;
}

class GenerationTest : public testing::Test {
 protected:
  void deliver_events(std::vector<turn::ChatEvent> events, milliseconds pause, DeliveryOptions options) {
    asio::co_spawn(io_, run(std::move(events), pause, options), asio::detached);
  }
  asio::awaitable<void> run(std::vector<turn::ChatEvent> events, milliseconds pause,
                            DeliveryOptions options) {
    ClientWatch watch(exchange_);
    turn::ChatStart start =
        std::make_unique<TimedStream>(io_.get_executor(), std::move(events), pause, alive_);
    const auto format = chat_ ? make_chat_format(calling_options()) : make_completion_format({});
    co_await deliver(exchange_, watch, std::move(start), *format, options);
    returned_ = true;
  }

  static AnswerOptions calling_options() {
    AnswerOptions options;
    options.may_call = true;
    return options;
  }
  std::string deltas_sent() const { return joined_deltas(exchange_.sent); }

  void expect_dropped(const DeliveryOptions& options) {
    asio::steady_timer leaving(io_, milliseconds(20));
    leaving.async_wait([&](const boost::system::error_code&) { exchange_.leave(); });
    deliver_events({delta_of("never")}, std::chrono::hours(1), options);
    io_.run_for(milliseconds(500));
    EXPECT_TRUE(returned_);
    EXPECT_FALSE(alive_);
  }

  asio::io_context io_;
  FakeExchange exchange_{io_.get_executor()};
  bool alive_ = false;
  bool returned_ = false;
  bool chat_ = false;  // in the shape of a chat with tools
};

TEST_F(GenerationTest, KeepsASilentStreamAlive) {
  DeliveryOptions options;
  options.stream = true;
  options.keep_alive = milliseconds(5);
  deliver_events({delta_of("a"), finish_of("", "stop")}, milliseconds(40), options);
  io_.run();
  EXPECT_TRUE(exchange_.sent.starts_with(": keep-alive\n\n: keep-alive\n\n")) << exchange_.sent;
  EXPECT_TRUE(exchange_.sent.ends_with("data: [DONE]\n\n"));
}

TEST_F(GenerationTest, SendsWhatWasHeldBackUntilTheEnd) {
  DeliveryOptions options;
  options.stream = true;
  deliver_events({delta_of("a"), finish_of("bc", "length")}, milliseconds(0), options);
  io_.run();
  EXPECT_NE(exchange_.sent.find(R"("text":"bc")"), std::string::npos) << exchange_.sent;
  EXPECT_NE(exchange_.sent.find(R"("finish_reason":"length")"), std::string::npos);
}

TEST_F(GenerationTest, JoinsAWholeAnswer) {
  deliver_events({delta_of("a"), delta_of("b"), finish_of("c", "stop")}, milliseconds(0), {});
  io_.run();
  EXPECT_EQ(exchange_.answer.status, 200);
  EXPECT_NE(exchange_.answer.body.find(R"("text":"abc")"), std::string::npos) << exchange_.answer.body;
}

TEST_F(GenerationTest, SendsNoPieceForTokensWithoutText) {
  DeliveryOptions options;
  options.stream = true;
  deliver_events({delta_of(""), delta_of("x"), finish_of("", "stop")}, milliseconds(0), options);
  io_.run();
  EXPECT_EQ(exchange_.sent.find(R"("text":"","index":0,"logprobs":null,"finish_reason":null)"),
            std::string::npos)
      << exchange_.sent;
}

TEST_F(GenerationTest, DropsAStreamedAnswerWhenTheClientGoes) {
  DeliveryOptions options;
  options.stream = true;
  expect_dropped(options);
}

TEST_F(GenerationTest, DropsAWholeAnswerWhenTheClientGoes) { expect_dropped({}); }

TEST_F(GenerationTest, StreamsACallAsItIsWritten) {
  chat_ = true;
  DeliveryOptions options;
  options.stream = true;
  deliver_events(call_events(finish_of("", "tool_calls")), milliseconds(0), options);
  io_.run();
  EXPECT_EQ(
      deltas_sent(),
      R"({"role":"assistant","content":null})"
      R"({"tool_calls":[{"index":0,"id":"x","type":"function","function":{"name":"f","arguments":""}}]})"
      R"({"tool_calls":[{"index":0,"function":{"arguments":"{\"a\""}}]})"
      R"({"tool_calls":[{"index":0,"function":{"arguments":":1}"}}]}{})");
  EXPECT_TRUE(exchange_.sent.ends_with("data: [DONE]\n\n"));
}

TEST_F(GenerationTest, GivesAWholeCall) {
  chat_ = true;
  deliver_events(call_events(finish_of("", "tool_calls")), milliseconds(0), {});
  io_.run();
  EXPECT_NE(exchange_.answer.body.find(R"("function":{"name":"f","arguments":"{\"a\":1}"})"),
            std::string::npos)
      << exchange_.answer.body;
  EXPECT_NE(exchange_.answer.body.find(R"("finish_reason":"tool_calls")"), std::string::npos);
}

TEST_F(GenerationTest, TellsOfAFailureInTheMiddleOfACall) {
  chat_ = true;
  turn::ChatFinished failed;
  failed.error = "The engine has ended.";
  DeliveryOptions options;
  options.stream = true;
  deliver_events(call_events(failed), milliseconds(0), options);
  io_.run();
  EXPECT_NE(exchange_.sent.find(R"(data: {"error":{"message":"The engine has ended.")"), std::string::npos);
  EXPECT_EQ(exchange_.sent.find("[DONE]"), std::string::npos);
  EXPECT_EQ(exchange_.sent.find("\"finish_reason\":\"tool_calls\""), std::string::npos);
}

TEST_F(GenerationTest, DropsAnAnswerInTheMiddleOfACallWhenTheClientGoes) {
  chat_ = true;
  DeliveryOptions options;
  options.stream = true;
  asio::steady_timer leaving(io_, milliseconds(50));
  leaving.async_wait([&](const boost::system::error_code&) { exchange_.leave(); });
  deliver_events(call_events(finish_of("", "tool_calls")), milliseconds(20), options);
  io_.run_for(milliseconds(500));
  EXPECT_TRUE(returned_);
  EXPECT_FALSE(alive_);
  EXPECT_EQ(exchange_.sent.find("[DONE]"), std::string::npos);
}

TEST_F(GenerationTest, TellsAtTheEndWhatTheServerRan) {
  chat_ = true;
  DeliveryOptions options;
  options.stream = true;
  turn::ChatFinished finished = finish_of("", "stop");
  finished.calls.emplace_back().name = "now";
  deliver_events({delta_of("a"), std::move(finished)}, milliseconds(0), options);
  io_.run();
  EXPECT_NE(deltas_sent().find(R"({"content":"a"}{"parley":{"calls":[{"call":"","name":"now")"),
            std::string::npos)
      << deltas_sent();
}

TEST_F(GenerationTest, TellsThatTheServerStopped) {
  deliver_events({finish_of("", "stopped")}, milliseconds(0), {});
  io_.run();
  EXPECT_EQ(exchange_.answer.status, 503);
}

}  // namespace
}  // namespace parley::app::api
