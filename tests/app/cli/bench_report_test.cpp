#include "app/cli/bench_report.h"

#include <gtest/gtest.h>

#include <string>

#include <boost/json.hpp>

namespace parley::app::cli {
namespace {

TEST(BenchReportTest, ShowsEveryFigure) {
  const auto report = boost::json::parse(R"({"model":"tiny","quantisation":"Q4_1","backend":"cpu avx2",
    "threads":2,"load_average":0.25,"resident_loaded_mb":100.4,"resident_end_mb":120.6,
    "bandwidth_before_gbps":12.34,"bandwidth_after_gbps":11,"bandwidth_share":0.876,
    "prefill":{"prompt_tokens":512,"prefill_tokens_per_second":321.5,"ttft_cold_ms":1600.4,"ttft_cached_ms":9.6},
    "decode":[{"depth":0,"decode_tokens_per_second":41},{"depth":2048,"decode_tokens_per_second":30.25}],
    "batch":[{"batch":16,"decode_tokens_per_second":99.9}],"skipped_depths":[8192]})");
  ::testing::internal::CaptureStdout();
  print_bench_report(report.as_object());
  EXPECT_EQ(::testing::internal::GetCapturedStdout(),
            "tiny Q4_1, cpu avx2, 2 threads, load average 0.25\n"
            "memory bandwidth          12.3 GB/s before, 11.0 after\n"
            "prefill   512 tokens       321.5 tok/s, first token after 1600 ms cold, 10 ms cached\n"
            "decode at depth     0       41.0 tok/s\n"
            "decode at depth  2048       30.2 tok/s\n"
            "share of the bandwidth        88 % (depth 0: weights read for each token)\n"
            "decode,  16 sequences       99.9 tok/s together\n"
            "depth 8192 was left out: the model's context is shorter\n"
            "resident memory              100 MB after loading, 121 MB at the end\n");
}

TEST(BenchReportTest, ShowsWhatConstraintsCost) {
  const std::string times = R"("tokens":40,
    "mask_p50_microseconds":1.25,"mask_p99_microseconds":99.5,"mask_max_microseconds":120,
    "warm_mask_p50_microseconds":0.5,"warm_mask_p99_microseconds":1,"warm_mask_max_microseconds":2,
    "verify_p50_microseconds":0.03,"verify_p99_microseconds":3,"verify_max_microseconds":4,
    "warm_verify_p50_microseconds":0.01,"warm_verify_p99_microseconds":0.02,"warm_verify_max_microseconds":0.04)";
  const auto report = boost::json::parse(R"({"model":"tiny","vocabulary_tokens":151936,
    "index_milliseconds":101.4,"compile_1_tool_cold_milliseconds":1.5,"compile_1_tool_warm_milliseconds":0.25,
    "compile_100_tools_cold_milliseconds":6,"compile_100_tools_warm_milliseconds":4.5,
    "skipped_schemas":["long text"],"schemas":[{"schema":"flat object",)" +
                                         times + "}]," + times + "}");
  ::testing::internal::CaptureStdout();
  print_grammar_report(report.as_object());
  EXPECT_EQ(::testing::internal::GetCapturedStdout(),
            "tiny, 151936 tokens\n"
            "index of the vocabulary 101 ms, once a model\n\n"
            "microseconds                    first time there            again\n"
            "mask                   tokens       p50      p99      max       p50      p99      max\n"
            "flat object                40      1.25    99.50   120.00      0.50     1.00     2.00\n"
            "all                        40      1.25    99.50   120.00      0.50     1.00     2.00\n"
            "check of one token         40      0.03     3.00     4.00      0.01     0.02     0.04\n\n"
            "compiling 1 tool           1.50 ms the first time, 0.25 ms again\n"
            "compiling 100 tools        6.00 ms the first time, 4.50 ms again\n"
            "long text was left out: the vocabulary cannot write its document\n");
}

}  // namespace
}  // namespace parley::app::cli
