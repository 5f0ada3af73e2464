#include "app/api/generation_meter.h"

#include <gtest/gtest.h>

#include <numeric>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>

#include "tests/fakes/echo_chat_model.h"

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
