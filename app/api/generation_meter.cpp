#include "app/api/generation_meter.h"

#include <chrono>
#include <optional>
#include <utility>
#include <variant>
#include <vector>

namespace parley::app::api {
namespace {

namespace asio = boost::asio;
namespace turn = orchestration::turn;
using Clock = std::chrono::steady_clock;

double seconds(Clock::duration time) { return std::chrono::duration<double>(time).count(); }

class MeteredStream : public turn::ChatStream {
 public:
  MeteredStream(std::unique_ptr<turn::ChatStream> inner, GenerationMeter& meter, Clock::time_point arrived)
      : inner_(std::move(inner)), meter_(meter), arrived_(arrived) {}

  int left_out_turns() const override { return inner_->left_out_turns(); }
  std::optional<std::vector<std::int32_t>> continued_ids() const override { return inner_->continued_ids(); }
  void cancel() override { inner_->cancel(); }

  asio::awaitable<turn::ChatEvent> next() override {
    turn::ChatEvent event = co_await inner_->next();
    if (const auto* finished = std::get_if<turn::ChatFinished>(&event)) {
      note_end(*finished);
    } else {
      note_tokens(std::get<turn::ChatDelta>(event).token_ids.size());
    }
    co_return event;
  }

 private:
  void note_tokens(std::size_t count) {
    if (count == 0) return;  // something is being held back
    const auto now = Clock::now();
    if (first_) {
      meter_.inter_token_seconds.add(seconds(now - last_));
    } else {
      first_ = now;
      meter_.first_token_seconds.add(seconds(now - arrived_));
    }
    last_ = now;
    num_tokens_ += count;
  }

  void note_end(const turn::ChatFinished& finished) {
    meter_.request_seconds.add(seconds(Clock::now() - arrived_));
    meter_.queue_seconds.add(seconds(finished.queued));
    meter_.prompt_tokens.add(finished.usage.prompt_tokens);
    meter_.generated_tokens.add(finished.usage.completion_tokens);
    if (num_tokens_ > 1) {
      meter_.time_per_token_seconds.add(seconds(last_ - *first_) / static_cast<double>(num_tokens_ - 1));
    }
  }

  std::unique_ptr<turn::ChatStream> inner_;
  GenerationMeter& meter_;
  Clock::time_point arrived_;
  std::optional<Clock::time_point> first_;
  Clock::time_point last_;
  std::size_t num_tokens_ = 0;
};

class MeteredModel : public turn::ChatModel {
 public:
  MeteredModel(turn::ChatModel& inner, GenerationMeter& meter) : inner_(inner), meter_(meter) {}

  const turn::ModelInfo& info() const override { return inner_.info(); }
  turn::TokenCounter token_counter() const override { return inner_.token_counter(); }

  asio::awaitable<turn::ChatStart> start_chat(turn::ChatRequest request) override {
    const auto arrived = Clock::now();
    turn::ChatStart start = co_await inner_.start_chat(std::move(request));
    co_return metered(std::move(start), arrived);
  }

  asio::awaitable<turn::ChatStart> start_completion(turn::CompletionRequest request) override {
    const auto arrived = Clock::now();
    turn::ChatStart start = co_await inner_.start_completion(std::move(request));
    co_return metered(std::move(start), arrived);
  }

  asio::awaitable<std::unique_ptr<turn::ReadAhead>> read_ahead(turn::ChatRequest request) override {
    return inner_.read_ahead(std::move(request));
  }

 private:
  turn::ChatStart metered(turn::ChatStart start, Clock::time_point arrived) {
    auto* stream = std::get_if<std::unique_ptr<turn::ChatStream>>(&start);
    if (stream == nullptr) return start;
    return std::make_unique<MeteredStream>(std::move(*stream), meter_, arrived);
  }

  turn::ChatModel& inner_;
  GenerationMeter& meter_;
};

// 1, 2, 5, 10, … up to `last`.
std::vector<double> series(double first, double last) {
  std::vector<double> bounds;
  for (double decade = first; decade <= last; decade *= 10) {
    for (const double step : {1.0, 2.0, 5.0}) {
      if (decade * step <= last) bounds.push_back(decade * step);
    }
  }
  return bounds;
}

}  // namespace

GenerationMeter::GenerationMeter()
    : first_token_seconds({0.001, 0.005, 0.01, 0.02, 0.04, 0.06, 0.08, 0.1, 0.25, 0.5, 0.75,
                           1,     2.5,   5,    7.5,  10,   20,   40,   80,  160,  640, 2560}),
      inter_token_seconds({0.001, 0.0025, 0.005, 0.0075, 0.01, 0.025, 0.05, 0.075, 0.1, 0.15, 0.2, 0.3,
                           0.4,   0.5,    0.75,  1,      2.5,  5,     7.5,  10,    20,  40,   80}),
      time_per_token_seconds(inter_token_seconds.bounds()),
      request_seconds(
          {0.3, 0.5, 0.8, 1, 1.5, 2, 2.5, 5, 10, 15, 20, 30, 40, 50, 60, 120, 240, 480, 960, 1920, 7680}),
      queue_seconds(request_seconds.bounds()),
      prompt_tokens(series(1, 200'000)),
      generated_tokens(series(1, 200'000)) {}

std::unique_ptr<turn::ChatModel> make_metered_model(turn::ChatModel& inner, GenerationMeter& meter) {
  return std::make_unique<MeteredModel>(inner, meter);
}

}  // namespace parley::app::api
