#include "app/cli/bench_runs.h"

#include <algorithm>
#include <random>

#include <boost/json.hpp>

#include "app/cli/generation.h"
#include "app/cli/progress_bar.h"

namespace parley::app::cli {
namespace {

using inference::engine::Engine;
using inference::engine::Request;

constexpr int kFirstId = 100;  // special tokens are often below
constexpr int kRepeats = 3;    // the best is reported, the machine may be shared

double seconds(std::chrono::nanoseconds time) { return std::chrono::duration<double>(time).count(); }

// Random ids: no prefix is shared between two requests, so nothing is cached unless the same request comes
// twice.
class RequestMaker {
 public:
  explicit RequestMaker(int vocab_size) : ids_(std::min(kFirstId, vocab_size / 2), vocab_size - 1) {}

  Request make(int prompt_tokens, int max_tokens) {
    Request request;
    for (int i = 0; i < prompt_tokens; ++i) request.prompt.push_back(ids_(random_));
    request.sampling.temperature = 0;
    request.max_tokens = max_tokens;
    return request;
  }

 private:
  std::mt19937 random_{7};
  std::uniform_int_distribution<int> ids_;
};

boost::json::object bench_prefill(Engine& engine, RequestMaker& maker, int tokens) {
  double best_cold = 1e9, best_cached = 1e9;
  for (int i = 0; i < kRepeats; ++i) {
    const Request request = maker.make(tokens, 1);
    best_cold = std::min(best_cold, seconds(generate(engine, request, nullptr).finished.first_token));
    best_cached = std::min(best_cached, seconds(generate(engine, request, nullptr).finished.first_token));
  }
  return {{"prompt_tokens", tokens},
          {"prefill_tokens_per_second", tokens / best_cold},
          {"ttft_cold_ms", best_cold * 1e3},
          {"ttft_cached_ms", best_cached * 1e3}};
}

boost::json::object bench_decode(Engine& engine, RequestMaker& maker, int depth, int gen) {
  double best = 0;
  const Request request = maker.make(std::max(depth, kBatchPrompt), gen);
  for (int i = 0; i < kRepeats; ++i) {  // the same prompt again: only the decoding is repeated
    const auto result = generate(engine, request, nullptr);
    const double time = seconds(result.finished.total - result.finished.first_token);
    best = std::max(best, (result.finished.completion_tokens - 1) / time);
  }
  return {{"depth", depth}, {"decode_tokens_per_second", best}};
}

boost::json::object bench_batch(Engine& engine, RequestMaker& maker, int batch, int gen) {
  double best = 0;
  for (int i = 0; i < kRepeats; ++i) {
    std::vector<Request> requests;
    requests.reserve(batch);
    for (int s = 0; s < batch; ++s) requests.push_back(maker.make(kBatchPrompt, gen));
    const auto results = generate_all(engine, std::move(requests));
    // From the moment the last sequence has its first token until the first one ends, all of them decode.
    auto begin = results[0].arrivals.front(), end = results[0].arrivals.back();
    for (const auto& result : results) {
      begin = std::max(begin, result.arrivals.front());
      end = std::min(end, result.arrivals.back());
    }
    std::size_t tokens = 0;
    for (const auto& result : results) {
      for (const auto& time : result.arrivals) tokens += time > begin && time <= end ? 1 : 0;
    }
    best = std::max(best, static_cast<double>(tokens) / seconds(end - begin));
  }
  return {{"batch", batch}, {"decode_tokens_per_second", best}};
}

}  // namespace

double prefill_rate(Engine& engine, int tokens, int vocab_size) {
  RequestMaker maker(vocab_size);
  generate(engine, maker.make(std::min(tokens, kBatchPrompt), 1), nullptr);
  return tokens / seconds(generate(engine, maker.make(tokens, 1), nullptr).finished.first_token);
}

boost::json::object run_plan(Engine& engine, const BenchPlan& plan, int vocab_size) {
  const int max_context = engine.stats().max_context;
  RequestMaker maker(vocab_size);
  ProgressBar bar("measuring");
  const double steps = static_cast<double>(1 + plan.depths.size() + plan.batches.size());
  double done = 0;
  boost::json::object report;
  report["prefill"] = bench_prefill(engine, maker, plan.prompt);
  boost::json::array depths, batches, skipped;
  for (const long depth : plan.depths) {
    bar.show(++done / steps);
    if (depth + plan.gen > max_context) {
      skipped.push_back(depth);
      continue;
    }
    depths.push_back(bench_decode(engine, maker, static_cast<int>(depth), plan.gen));
  }
  for (const long batch : plan.batches) {
    bar.show(++done / steps);
    batches.push_back(bench_batch(engine, maker, static_cast<int>(batch), plan.gen));
  }
  report["decode"] = std::move(depths);
  report["batch"] = std::move(batches);
  report["skipped_depths"] = std::move(skipped);
  return report;
}

}  // namespace parley::app::cli
