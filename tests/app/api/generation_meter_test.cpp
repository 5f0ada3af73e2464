#include "app/api/generation_meter.h"

#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <numeric>
#include <vector>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>

#include "app/api/client_tool.h"
#include "tests/fakes/echo_chat_model.h"
#include "tests/fakes/scripted_chat_model.h"

namespace parley::app::api {
namespace {

namespace asio = boost::asio;
namespace turn = orchestration::turn;

std::uint64_t total(const Histogram& histogram) {
  return std::accumulate(histogram.counts().begin(), histogram.counts().end(), std::uint64_t{0});
}

asio::awaitable<void> read_to_end(turn::ChatModel& model, std::string text, int& events) {
  turn::CompletionRequest request;
  request.prompt = std::move(text);
  auto start = co_await model.start_completion(std::move(request));
  if (std::holds_alternative<turn::ChatRejection>(start)) co_return;
  auto& stream = std::get<std::unique_ptr<turn::ChatStream>>(start);
  bool more = true;
  while (more) {
    const auto event = co_await stream->next();
    more = std::holds_alternative<turn::ChatDelta>(event);
    ++events;
  }
}

TEST(GenerationMeterTest, TimesEveryAnswer) {
  asio::io_context io;
  const auto echo =
      tests::fakes::make_echo_chat_model(io.get_executor(), std::make_shared<tests::fakes::EchoCounters>());
  GenerationMeter meter;
  const auto model = make_metered_model(*echo, meter);
  int events = 0;
  asio::co_spawn(io, read_to_end(*model, "!pause 2 a b c", events), asio::detached);
  io.run();
  EXPECT_EQ(events, 4);
  EXPECT_EQ(total(meter.first_token_seconds), 1u);
  EXPECT_EQ(total(meter.inter_token_seconds), 2u);
  EXPECT_EQ(total(meter.time_per_token_seconds), 1u);
  EXPECT_EQ(total(meter.request_seconds), 1u);
  EXPECT_EQ(meter.generated_tokens.sum(), 3);
  EXPECT_GE(meter.inter_token_seconds.sum(), 0.004);
  EXPECT_GE(meter.request_seconds.sum(), meter.first_token_seconds.sum());
}

// What the inner model says of an answer must come through, or a continued answer would keep stale ids.
TEST(GenerationMeterTest, PassesOnWhatTheModelSays) {
  asio::io_context io;
  fakes::ScriptedChatModel scripted(io.get_executor());
  scripted.answer = [](const turn::ChatRequest&) {
    fakes::ChatScript script;
    script.left_out_turns = 3;
    script.continued_ids = std::vector<std::int32_t>{7, 8};
    script.queued = std::chrono::milliseconds(1500);
    return script;
  };
  GenerationMeter meter;
  const auto model = make_metered_model(scripted, meter);
  auto read = [&]() -> asio::awaitable<void> {
    turn::ChatRequest request;
    auto start = co_await model->start_chat(std::move(request));
    auto& stream = std::get<std::unique_ptr<turn::ChatStream>>(start);
    EXPECT_EQ(stream->left_out_turns(), 3);
    EXPECT_EQ(stream->continued_ids(), (std::vector<std::int32_t>{7, 8}));
    const auto event = co_await stream->next();
    EXPECT_TRUE(std::holds_alternative<turn::ChatFinished>(event));
  };
  asio::co_spawn(io, read, asio::detached);
  io.run();
  EXPECT_EQ(total(meter.queue_seconds), 1u);
  EXPECT_EQ(meter.queue_seconds.sum(), 1.5);
}

// A first delta without tokens: something is held back, since it may become a call.
TEST(GenerationMeterTest, TimesTokensOnly) {
  asio::io_context io;
  const auto echo =
      tests::fakes::make_echo_chat_model(io.get_executor(), std::make_shared<tests::fakes::EchoCounters>());
  GenerationMeter meter;
  const auto model = make_metered_model(*echo, meter);
  auto read = [&]() -> asio::awaitable<void> {
    turn::ChatRequest request;
    request.messages.emplace_back().text = "!think hm\n!call f {}";
    request.tools.tools.push_back(make_client_tool({.name = "f", .parameters = {}}));
    auto start = co_await model->start_chat(std::move(request));
    auto& stream = std::get<std::unique_ptr<turn::ChatStream>>(start);
    co_await stream->next();  // the reasoning, which the fake gives no tokens
    EXPECT_EQ(total(meter.first_token_seconds), 0u);
    co_await stream->next();
    EXPECT_EQ(total(meter.first_token_seconds), 1u);
  };
  asio::co_spawn(io, read, asio::detached);
  io.run();
  EXPECT_EQ(total(meter.inter_token_seconds), 0u);
}

TEST(GenerationMeterTest, CountsNoRejections) {
  asio::io_context io;
  const auto echo =
      tests::fakes::make_echo_chat_model(io.get_executor(), std::make_shared<tests::fakes::EchoCounters>());
  GenerationMeter meter;
  const auto model = make_metered_model(*echo, meter);
  int events = 0;
  asio::co_spawn(io, read_to_end(*model, "!queue_full", events), asio::detached);
  io.run();
  EXPECT_EQ(total(meter.request_seconds), 0u);
  EXPECT_EQ(model->info().name, "echo");
}

}  // namespace
}  // namespace parley::app::api
