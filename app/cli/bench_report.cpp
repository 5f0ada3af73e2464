#include "app/cli/bench_report.h"

#include <cstdio>
#include <string>

#include <boost/json.hpp>

namespace parley::app::cli {
namespace {

double number(const boost::json::object& row, const char* key) { return row.at(key).to_number<double>(); }
int integer(const boost::json::object& row, const char* key) { return static_cast<int>(number(row, key)); }

void print_prefill(const boost::json::object& row) {
  std::printf("prefill %5d tokens    %8.1f tok/s, first token after %.0f ms cold, %.0f ms cached\n",
              integer(row, "prompt_tokens"), number(row, "prefill_tokens_per_second"),
              number(row, "ttft_cold_ms"), number(row, "ttft_cached_ms"));
}

double at(const boost::json::object& row, const std::string& key) { return number(row, key.c_str()); }

void print_times(const char* name, const boost::json::object& row, const std::string& what) {
  const std::string cold = what + "_", warm = "warm_" + what + "_";
  std::printf("%-22s %6d", name, integer(row, "tokens"));
  for (const std::string& key : {cold, warm}) {
    std::printf("  %8.2f %8.2f %8.2f", at(row, key + "p50_microseconds"), at(row, key + "p99_microseconds"),
                at(row, key + "max_microseconds"));
  }
  std::printf("\n");
}

void print_compiling(const boost::json::object& report, const char* what, const std::string& key) {
  std::printf("compiling %-12s %8.2f ms the first time, %.2f ms again\n", what,
              at(report, key + "_cold_milliseconds"), at(report, key + "_warm_milliseconds"));
}

}  // namespace

void print_grammar_report(const boost::json::object& report) {
  std::printf("%s, %d tokens\n", report.at("model").as_string().c_str(),
              integer(report, "vocabulary_tokens"));
  std::printf("index of the vocabulary %.0f ms, once a model\n\n", number(report, "index_milliseconds"));
  std::printf("microseconds                    first time there            again\n");
  std::printf("%-22s %6s  %8s %8s %8s  %8s %8s %8s\n", "mask", "tokens", "p50", "p99", "max", "p50", "p99",
              "max");
  for (const auto& row : report.at("schemas").as_array()) {
    print_times(row.at("schema").as_string().c_str(), row.as_object(), "mask");
  }
  print_times("all", report, "mask");
  print_times("check of one token", report, "verify");
  std::printf("\n");
  print_compiling(report, "1 tool", "compile_1_tool");
  print_compiling(report, "100 tools", "compile_100_tools");
  for (const auto& name : report.at("skipped_schemas").as_array()) {
    std::printf("%s was left out: the vocabulary cannot write its document\n", name.as_string().c_str());
  }
}

void print_bench_report(const boost::json::object& report) {
  std::printf("%s %s, %s, %d threads, load average %.2f\n", report.at("model").as_string().c_str(),
              report.at("quantisation").as_string().c_str(), report.at("backend").as_string().c_str(),
              integer(report, "threads"), number(report, "load_average"));
  std::printf("memory bandwidth        %6.1f GB/s before, %.1f after\n",
              number(report, "bandwidth_before_gbps"), number(report, "bandwidth_after_gbps"));
  print_prefill(report.at("prefill").as_object());
  for (const auto& row : report.at("decode").as_array()) {
    std::printf("decode at depth %5d   %8.1f tok/s\n", integer(row.as_object(), "depth"),
                number(row.as_object(), "decode_tokens_per_second"));
  }
  std::printf("share of the bandwidth  %8.0f %% (depth 0: weights read for each token)\n",
              number(report, "bandwidth_share") * 100);
  for (const auto& row : report.at("batch").as_array()) {
    std::printf("decode, %3d sequences   %8.1f tok/s together\n", integer(row.as_object(), "batch"),
                number(row.as_object(), "decode_tokens_per_second"));
  }
  for (const auto& depth : report.at("skipped_depths").as_array()) {
    std::printf("depth %lld was left out: the model's context is shorter\n",
                static_cast<long long>(depth.to_number<std::int64_t>()));
  }
  std::printf("resident memory         %8.0f MB after loading, %.0f MB at the end\n",
              number(report, "resident_loaded_mb"), number(report, "resident_end_mb"));
}

}  // namespace parley::app::cli
