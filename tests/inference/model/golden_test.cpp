// Tiny random models against `transformers` (tests/goldens/make_goldens.py), on every backend that computes
// in f32: the largest difference of a position's logits, over its largest logit, stays within 1e-4.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <ostream>
#include <string>

#include "kernels/dtypes/dequantize.h"
#include "tests/fakes/model_run.h"

namespace parley::inference::model {
namespace {

using backend::BackendOptions;
using tests::fakes::ModelRun;

constexpr double kTolerance = 1e-4;

struct GoldenCase {
  const char* model;
  const char* backend_name;
  tests::fakes::BackendFactory make_backend;
};

void PrintTo(const GoldenCase& golden, std::ostream* out) {
  *out << golden.model << " on " << golden.backend_name;
}

struct Golden {
  std::vector<std::int32_t> token_ids;
  std::vector<std::size_t> positions;
  std::vector<std::vector<float>> logits;  // [position][vocab]
};

std::string tiny_path(const std::string& file_name) {
  return std::string(PARLEY_SOURCE_DIR) + "/tests/goldens/tiny/" + file_name;
}

Golden read_golden(const std::string& model) {
  const auto file = formats::open_gguf(tiny_path(model + ".golden"));
  const auto integers = [&](const char* key) {
    return std::get<std::vector<std::int64_t>>(*file->find_metadata(key));
  };
  Golden golden;
  for (const std::int64_t id : integers("golden.token_ids")) {
    golden.token_ids.push_back(static_cast<std::int32_t>(id));
  }
  for (const std::int64_t position : integers("golden.positions")) {
    golden.positions.push_back(static_cast<std::size_t>(position));
  }
  const auto& matrix = file->find_tensor("logits")->matrix;
  for (std::int64_t row = 0; row < matrix.rows; ++row) {
    golden.logits.emplace_back(static_cast<std::size_t>(matrix.columns));
    kernels::dtypes::dequantize_row(matrix, row, golden.logits.back());
  }
  return golden;
}

double relative_difference(const std::vector<float>& actual, const std::vector<float>& expected) {
  double difference = 0;
  double largest = 0;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    difference = std::max(difference, std::abs(static_cast<double>(actual[i]) - expected[i]));
    largest = std::max(largest, std::abs(static_cast<double>(expected[i])));
  }
  return difference / largest;
}

// Bit for bit: a row's result depends neither on its batch nor on chunking, on any backend.
void expect_same(const ModelRun::Logits& actual, const ModelRun::Logits& expected) {
  ASSERT_EQ(actual.size(), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) ASSERT_EQ(actual[i], expected[i]) << "position " << i;
}

class TinyModelGolden : public testing::TestWithParam<GoldenCase> {
 protected:
  ModelRun make_run() const {
    BackendOptions options;
    options.kv_type = backend::KvType::f32;
    options.num_blocks = 64;
    options.max_rows = 320;
    return {tiny_path(GetParam().model + std::string(".gguf")), GetParam().make_backend, options};
  }

  const Golden golden_ = read_golden(GetParam().model);
};

TEST_P(TinyModelGolden, agrees_with_transformers) {
  ModelRun run = make_run();
  const ModelRun::Logits logits = run.run(0, golden_.token_ids, golden_.token_ids.size());
  ASSERT_EQ(golden_.positions.size(), golden_.logits.size());
  ASSERT_FALSE(golden_.positions.empty());
  for (std::size_t i = 0; i < golden_.positions.size(); ++i) {
    const std::size_t position = golden_.positions[i];
    ASSERT_EQ(logits[position].size(), golden_.logits[i].size());
    EXPECT_LE(relative_difference(logits[position], golden_.logits[i]), kTolerance)
        << "position " << position;
  }
}

TEST_P(TinyModelGolden, chunked_prefill_equals_one_shot) {
  ModelRun run = make_run();
  const std::span<const std::int32_t> ids = std::span(golden_.token_ids).first(70);
  const ModelRun::Logits whole = run.run(0, ids, ids.size());
  int sequence = 1;
  for (const std::size_t chunk : {1U, 3U, 16U, 17U, 64U}) expect_same(run.run(sequence++, ids, chunk), whole);
}

TEST_P(TinyModelGolden, sequences_in_a_batch_equal_each_alone) {
  const std::span<const std::int32_t> ids = golden_.token_ids;
  const std::span<const std::int32_t> texts[] = {ids.subspan(0, 40), ids.subspan(50, 21),
                                                 ids.subspan(100, 33)};
  ModelRun alone = make_run();
  std::vector<ModelRun::Logits> expected;
  for (int i = 0; i < 3; ++i) expected.push_back(alone.run(i, texts[i], texts[i].size()));

  // Each step takes a different number of rows from each sequence, decode rows beside prefill chunks.
  ModelRun together = make_run();
  std::vector<ModelRun::Logits> actual(3);
  const std::size_t rows_per_step[][3] = {{17, 1, 5}, {1, 16, 1}, {5, 1, 20}, {17, 3, 7}};
  std::size_t done[3] = {};
  for (const auto& rows : rows_per_step) {
    std::vector<ModelRun::Feed> feeds;
    for (int i = 0; i < 3; ++i) feeds.push_back({i, texts[i].subspan(done[i], rows[i])});
    const ModelRun::Logits logits = together.step(feeds);
    auto row = logits.begin();
    for (int i = 0; i < 3; ++i) {
      const auto end = row + static_cast<std::ptrdiff_t>(rows[i]);
      actual[i].insert(actual[i].end(), row, end);
      row = end;
      done[i] += rows[i];
    }
  }
  for (int i = 0; i < 3; ++i) expect_same(actual[i], expected[i]);
}

std::vector<GoldenCase> all_cases() {
  const std::pair<const char*, tests::fakes::BackendFactory> backends[] = {
      {"reference", backend::make_reference_backend}, {"cpu", backend::make_cpu_backend}};
  std::vector<GoldenCase> cases;
  for (const char* model : {"tiny_llama", "tiny_llama_biased", "tiny_qwen2"}) {
    for (const auto& [name, make] : backends) cases.push_back({model, name, make});
  }
  return cases;
}

INSTANTIATE_TEST_SUITE_P(Goldens, TinyModelGolden, testing::ValuesIn(all_cases()), [](const auto& golden) {
  return std::string(golden.param.model) + "_" + golden.param.backend_name;
});

}  // namespace
}  // namespace parley::inference::model
