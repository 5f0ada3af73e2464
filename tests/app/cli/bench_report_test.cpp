#include "app/cli/bench_report.h"

#include <gtest/gtest.h>

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

}  // namespace
}  // namespace parley::app::cli
