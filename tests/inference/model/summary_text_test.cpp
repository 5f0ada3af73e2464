#include "inference/model/summary_text.h"

#include <gtest/gtest.h>

#include <string>

namespace parley::inference::model {
namespace {

constexpr std::size_t kKiB = 1024;

ModelSummary bare_summary() {
  ModelSummary summary;
  summary.path = "dir/model.gguf";
  summary.file_bytes = 1023;
  summary.gguf_version = 3;
  return summary;
}

// The line that begins with `label`, or nothing.
std::string line_of(const ModelSummary& summary, const std::string& label) {
  const std::string text = "\n" + to_text(summary);
  const auto start = text.find("\n" + label);
  return start == std::string::npos ? "" : text.substr(start + 1, text.find('\n', start + 1) - start - 1);
}

TEST(SummaryText, a_supported_model_is_described_whole) {
  ModelSummary summary = bare_summary();
  ModelConfig config;
  config.architecture = "llama";
  config.name = "Tiny";
  config.quantisation = "Q4_K_M";
  config.max_context = 256;
  config.shape.num_layers = 2;
  config.shape.hidden_dim = 32;
  config.shape.ffn_dim = 48;
  config.shape.num_heads = 4;
  config.shape.num_kv_heads = 2;
  config.shape.head_dim = 8;
  config.shape.vocab_size = 64;
  summary.config = config;
  summary.num_parameters = 1'234'567;
  summary.weight_bytes = 3 * kKiB;
  summary.kv_memory = {{.tokens = 128, .bytes_f16 = 16 * kKiB, .bytes_f32 = 32 * kKiB}};
  summary.warnings = {"no chat template"};
  summary.metadata = {{"llama.block_count", "2"}};
  summary.chat_template = "first\nsecond";
  summary.types = {{.type = "F32", .num_tensors = 1, .bytes = 6 * kKiB}};
  summary.tensors = {{.name = "down", .type = "F32", .dimensions = {48, 32}, .bytes = 6 * kKiB}};
  EXPECT_EQ(to_text(summary),
            "file            dir/model.gguf (GGUF v3, 1023 B)\n"
            "model           Tiny\n"
            "architecture    llama, 2 layers, 32 wide, feed-forward 48, 4 heads on 2 of 8\n"
            "quantisation    Q4_K_M\n"
            "vocabulary      64\n"
            "context         256 tokens\n"
            "parameters      1.2 million\n"
            "weights         3.0 KiB\n"
            "KV cache        16.0 KiB as f16, 32.0 KiB as f32, for 128 tokens\n"
            "warning         no chat template\n"
            "\nmetadata\n"
            "  llama.block_count = 2\n"
            "\nchat template\nfirst\nsecond\n"
            "\ntensor types\n"
            "  F32        1  6.0 KiB\n"
            "\ntensors\n"
            "  down                             F32   48 x 32\n");
}

TEST(SummaryText, an_unsupported_model_has_no_lines_of_its_own) {
  const ModelSummary summary = bare_summary();
  for (const char* label : {"model ", "architecture", "quantisation", "vocabulary", "context", "KV cache",
                            "warning", "chat template"}) {
    EXPECT_EQ(line_of(summary, label), "") << label;
  }
}

TEST(SummaryText, sizes_have_the_largest_unit_that_fits) {
  const struct {
    std::size_t bytes;
    const char* text;
  } cases[] = {{0, "0 B"},
               {1023, "1023 B"},
               {1024, "1.0 KiB"},
               {1536, "1.5 KiB"},
               {kKiB * kKiB - 1, "1024.0 KiB"},
               {kKiB * kKiB, "1.0 MiB"},
               {5 * kKiB * kKiB * kKiB / 2, "2.5 GiB"},
               {3 * kKiB * kKiB * kKiB * kKiB, "3.0 TiB"},
               {5000 * kKiB * kKiB * kKiB * kKiB, "5000.0 TiB"}};
  for (const auto& c : cases) {
    ModelSummary summary = bare_summary();
    summary.weight_bytes = c.bytes;
    EXPECT_EQ(line_of(summary, "weights"), "weights         " + std::string(c.text));
  }
}

TEST(SummaryText, parameters_are_counted_in_millions_and_billions) {
  const struct {
    std::int64_t count;
    const char* text;
  } cases[] = {{0, "0.0 million"},
               {134'515'008, "134.5 million"},
               {999'900'000, "999.9 million"},
               {1'000'000'000, "1.00 billion"},
               {7'615'616'512, "7.62 billion"}};
  for (const auto& c : cases) {
    ModelSummary summary = bare_summary();
    summary.num_parameters = c.count;
    EXPECT_EQ(line_of(summary, "parameters"), "parameters      " + std::string(c.text));
  }
}

TEST(SummaryText, control_characters_never_reach_the_terminal) {
  ModelSummary summary = bare_summary();
  summary.chat_template = "a\tb\x1b[2J\r\x7f\x01 \xc3\xa9";
  summary.warnings = {"bad \x1b"};
  const std::string text = to_text(summary);
  EXPECT_NE(text.find("a\tb\\x1b[2J\\x0d\\x7f\\x01 \xc3\xa9\n"), std::string::npos) << text;
  EXPECT_NE(text.find("warning         bad \\x1b\n"), std::string::npos);
  EXPECT_EQ(text.find('\x1b'), std::string::npos);
}

}  // namespace
}  // namespace parley::inference::model
