// parley bench: prefill, decode, time to first token and memory of a model on this machine; or what
// constraints cost over its vocabulary.

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <string>

#include <boost/json.hpp>

#include "app/cli/bench_report.h"
#include "app/cli/bench_runs.h"
#include "app/cli/command.h"
#include "app/cli/grammar_bench.h"
#include "app/cli/memory_bandwidth.h"
#include "app/cli/options.h"
#include "app/models/start_engine.h"

namespace parley::app::cli {
namespace {

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

// Bytes of weights that a decoded token reads: all of them but the embedding table, unless that is the head
// too.
double weight_bytes(const inference::formats::GgufFile& file) {
  double bytes = 0;
  const bool tied = file.find_tensor("output.weight") == nullptr;
  for (const auto& tensor : file.tensors()) {
    if (tensor.name == "token_embd.weight" && !tied) continue;
    bytes += static_cast<double>(stored_bytes(tensor.matrix));
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

// Depths may be too much for the model, they are left out; these runs are made in any case.
void check_plan(const BenchPlan& plan, int max_context) {
  const int prompt = std::max(plan.prompt, kBatchPrompt);
  if (prompt + plan.gen <= max_context) return;
  throw UsageError("a prompt of " + std::to_string(prompt) + " tokens and --gen " + std::to_string(plan.gen) +
                   " are more than the model's context of " + std::to_string(max_context) +
                   "; choose a smaller --prompt or --gen");
}

// Room for the longest run that the model's context allows.
models::LoadOptions load_options(const Options& options, const BenchPlan& plan, int max_context) {
  models::LoadOptions load;
  load.threads = static_cast<int>(options.integer("threads", 0, 0, 1024));
  long longest = std::max(plan.prompt, kBatchPrompt);
  for (const long depth : plan.depths) {
    if (depth + plan.gen <= max_context) longest = std::max(longest, depth);
  }
  load.context = static_cast<int>(std::min<long>(longest + plan.gen, max_context));
  for (const long batch : plan.batches)
    load.max_sequences = std::max(load.max_sequences, static_cast<int>(batch));
  return load;
}

boost::json::object measure(models::OpenedModel& model, const models::LoadOptions& load,
                            const BenchPlan& plan) {
  const double bytes = weight_bytes(*model.file);
  models::EngineReport engine_report;
  const auto engine = models::start_engine(
      model, load, [](double) {}, engine_report);
  const double before = measure_read_bandwidth(engine_report.threads);
  boost::json::object report{{"model", model.name},
                             {"quantisation", model.config.quantisation},
                             {"backend", engine_report.backend},
                             {"threads", engine_report.threads},
                             {"load_average", load_average()},
                             {"resident_loaded_mb", resident_megabytes()}};
  for (auto& [key, value] : run_plan(*engine, plan, model.config.shape.vocab_size)) report[key] = value;
  report["resident_end_mb"] = resident_megabytes();
  const double after = measure_read_bandwidth(engine_report.threads);
  report["bandwidth_before_gbps"] = before / 1e9;
  report["bandwidth_after_gbps"] = after / 1e9;
  report["weight_bytes_per_token"] = bytes;
  const auto& decode = report.at("decode").as_array();
  report["bandwidth_share"] =
      decode.empty() ? 0.0
                     : decode[0].at("decode_tokens_per_second").as_double() * bytes / std::max(before, after);
  return report;
}

models::OpenedModel open_chosen(const Options& options) {
  return models::open_model(
      models::find_model(options.text("model").value_or(""), config::process_environment()));
}

boost::json::object measure_grammar(const Options& options) {
  for (const char* name : {"prompt", "gen", "depth", "batch", "threads"}) {
    if (options.has(name))
      throw UsageError("--" + std::string(name) +
                       " does not go with --grammar, which does not run the model");
  }
  const models::OpenedModel model = open_chosen(options);
  boost::json::object report{{"model", model.name}, {"load_average", load_average()}};
  for (auto& [key, value] : bench_grammar(*model.tokenizer)) report[key] = value;
  return report;
}

boost::json::object measure_model(const Options& options) {
  const BenchPlan plan = read_plan(options);
  models::OpenedModel model = open_chosen(options);
  check_plan(plan, model.config.max_context);
  return measure(model, load_options(options, plan, model.config.max_context), plan);
}

}  // namespace

int run_bench(const Arguments& arguments) {
  Options options(
      "bench --model M [options]",
      "Measures a model in this process. Depths are measured with one sequence, batches at depth 0;\n"
      "each figure is the best of three. With --grammar: how long it takes to tell which tokens may come\n"
      "next when the answer has to fit a JSON Schema, to check one token, and to compile the schemas of\n"
      "tools, on one thread; the best of five.");
  options.add_value("model", "NAME|FILE", "model of the catalogue, or a GGUF file");
  options.add_value("prompt", "N", "tokens to prefill (default 512)");
  options.add_value("gen", "N", "tokens to decode (default 128)");
  options.add_value("depth", "N,N", "context before decoding (default 0,2048,8192)");
  options.add_value("batch", "N,N", "sequences at once (default 1,4,8,16,32)");
  options.add_value("threads", "N", "compute threads (default: all cores)");
  options.add_flag("grammar", "measure constrained decoding over the model's vocabulary instead");
  options.add_flag("json", "print one JSON object");
  if (!options.parse(arguments)) return 0;

  const bool is_grammar = options.has("grammar");
  const boost::json::object report = is_grammar ? measure_grammar(options) : measure_model(options);
  if (options.has("json")) {
    std::cout << boost::json::serialize(report) << "\n";
  } else if (is_grammar) {
    print_grammar_report(report);
  } else {
    print_bench_report(report);
  }
  return 0;
}

}  // namespace parley::app::cli
