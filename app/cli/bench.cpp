// parley bench: prefill, decode, time to first token and memory of a model on this machine.

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <random>

#include <boost/json.hpp>

#include "app/cli/command.h"
#include "app/cli/generation.h"
#include "app/cli/memory_bandwidth.h"
#include "app/cli/options.h"
#include "app/cli/progress_bar.h"
#include "app/models/loaded_model.h"

namespace parley::app::cli {
namespace {

using inference::engine::Engine;
using inference::engine::Request;

constexpr int kBatchPrompt = 16;  // tokens of each prompt in the batch runs
constexpr int kRepeats = 3;       // the best is reported, the machine may be shared

struct BenchPlan {
  int prompt = 512;
  int gen = 128;
  std::vector<long> depths;
  std::vector<long> batches;
};

double seconds(std::chrono::nanoseconds time) { return std::chrono::duration<double>(time).count(); }

// Random ids: no prefix is shared between two requests, so nothing is cached unless the same request comes
// twice.
class RequestMaker {
 public:
  explicit RequestMaker(int vocab_size) : ids_(100, vocab_size - 1) {}

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

double resident_megabytes() {
  std::ifstream status("/proc/self/status");
  std::string line;
  while (std::getline(status, line)) {
    if (line.starts_with("VmRSS:")) return std::strtod(line.c_str() + 6, nullptr) / 1024.0;
  }
  return 0;
}

double load_average() {
  double load = 0;
  return ::getloadavg(&load, 1) == 1 ? load : 0;
}

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

boost::json::object run_plan(Engine& engine, const BenchPlan& plan, int vocab_size, int max_context) {
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

void print_report(const boost::json::object& report) {
  const auto number = [](const boost::json::value& value) { return value.to_number<double>(); };
  std::printf("%s, %s, %d threads, load average %.2f\n", report.at("model").as_string().c_str(),
              report.at("backend").as_string().c_str(), static_cast<int>(number(report.at("threads"))),
              number(report.at("load_average")));
  std::printf("memory bandwidth        %6.1f GB/s before, %.1f after\n",
              number(report.at("bandwidth_before_gbps")), number(report.at("bandwidth_after_gbps")));
  const auto& prefill = report.at("prefill").as_object();
  std::printf("prefill %5d tokens    %8.1f tok/s, first token after %.0f ms cold, %.0f ms cached\n",
              static_cast<int>(number(prefill.at("prompt_tokens"))),
              number(prefill.at("prefill_tokens_per_second")), number(prefill.at("ttft_cold_ms")),
              number(prefill.at("ttft_cached_ms")));
  for (const auto& row : report.at("decode").as_array()) {
    std::printf("decode at depth %5d   %8.1f tok/s\n", static_cast<int>(number(row.at("depth"))),
                number(row.at("decode_tokens_per_second")));
  }
  std::printf("share of the bandwidth  %8.0f %% (depth 0: weights read for each token)\n",
              number(report.at("bandwidth_share")) * 100);
  for (const auto& row : report.at("batch").as_array()) {
    std::printf("decode, %3d sequences   %8.1f tok/s together\n", static_cast<int>(number(row.at("batch"))),
                number(row.at("decode_tokens_per_second")));
  }
  for (const auto& depth : report.at("skipped_depths").as_array()) {
    std::printf("depth %d was left out: the model's context is shorter\n", static_cast<int>(number(depth)));
  }
  std::printf("resident memory         %8.0f MB after loading, %.0f MB at the end\n",
              number(report.at("resident_loaded_mb")), number(report.at("resident_end_mb")));
}

// Bytes of weights that a decoded token reads: all of them but the embedding table, unless that is the head
// too.
double weight_bytes(const inference::formats::GgufFile& file) {
  double bytes = 0;
  const bool tied = file.find_tensor("output.weight") == nullptr;
  for (const auto& tensor : file.tensors()) {
    if (tensor.name == "token_embd.weight" && !tied) continue;
    bytes += static_cast<double>(tensor.matrix.rows) *
             static_cast<double>(kernels::dtypes::row_bytes(tensor.matrix.dtype, tensor.matrix.columns));
  }
  return bytes;
}

BenchPlan read_plan(const Options& options) {
  BenchPlan plan;
  plan.prompt = static_cast<int>(options.integer("prompt", 512, 1, 1 << 20));
  plan.gen = static_cast<int>(options.integer("gen", 128, 2, 1 << 20));
  plan.depths = options.integers("depth", {0, 2048, 8192}, 0, 1 << 24);
  plan.batches = options.integers("batch", {1, 4, 8, 16, 32}, 1, 256);
  return plan;
}

}  // namespace

int run_bench(const Arguments& arguments) {
  Options options(
      "bench --model M [options]",
      "Measures a model in this process. Depths are measured with one sequence, batches at depth 0;\n"
      "each figure is the best of three.");
  options.add_value("model", "NAME|FILE", "model of the catalogue, or a GGUF file");
  options.add_value("prompt", "N", "tokens to prefill (default 512)");
  options.add_value("gen", "N", "tokens to decode (default 128)");
  options.add_value("depth", "N,N", "context before decoding (default 0,2048,8192)");
  options.add_value("batch", "N,N", "sequences at once (default 1,4,8,16,32)");
  options.add_value("threads", "N", "compute threads (default: all cores)");
  options.add_flag("json", "print one JSON object");
  if (!options.parse(arguments)) return 0;

  const BenchPlan plan = read_plan(options);
  models::OpenedModel model = models::open_model(
      models::find_model(options.text("model").value_or(""), config::process_environment()));
  models::LoadOptions load;
  load.threads = static_cast<int>(options.integer("threads", 0, 0, 1024));
  long longest = plan.prompt;
  for (const long depth : plan.depths) {
    if (depth + plan.gen <= model.config.max_context) longest = std::max(longest, depth);
  }
  load.context = static_cast<int>(std::min<long>(longest + plan.gen, model.config.max_context));
  for (const long batch : plan.batches)
    load.max_sequences = std::max(load.max_sequences, static_cast<int>(batch));
  const double bytes = weight_bytes(*model.file);
  const int vocab_size = model.config.shape.vocab_size;

  models::EngineReport engine_report;
  const auto engine = models::start_engine(
      model, load, [](double) {}, engine_report);
  boost::json::object report{{"model", model.name},
                             {"quantisation", model.config.quantisation},
                             {"backend", engine_report.backend},
                             {"threads", engine_report.threads},
                             {"load_average", load_average()},
                             {"resident_loaded_mb", resident_megabytes()},
                             {"bandwidth_before_gbps", measure_read_bandwidth(engine_report.threads) / 1e9}};
  for (auto& [key, value] : run_plan(*engine, plan, vocab_size, engine_report.context)) report[key] = value;
  report["resident_end_mb"] = resident_megabytes();
  report["bandwidth_after_gbps"] = measure_read_bandwidth(engine_report.threads) / 1e9;
  const double bandwidth = std::max(report.at("bandwidth_before_gbps").as_double(),
                                    report.at("bandwidth_after_gbps").as_double()) *
                           1e9;
  const auto& decode = report.at("decode").as_array();
  report["weight_bytes_per_token"] = bytes;
  report["bandwidth_share"] =
      decode.empty() ? 0.0 : decode[0].at("decode_tokens_per_second").as_double() * bytes / bandwidth;
  if (options.has("json")) {
    std::cout << boost::json::serialize(report) << "\n";
  } else {
    print_report(report);
  }
  return 0;
}

}  // namespace parley::app::cli
