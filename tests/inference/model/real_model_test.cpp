// Real models, quantised products and all, against `transformers` on dequantised float32 weights
// (tests/goldens/make_model_golden.py; the golden of SmolLM2 is committed, those of others lie beside the
// model).
//
// Required over all positions of all texts, fed as they are (teacher forcing):
//   - the top token is equal wherever the reference's first two logits differ by 0.5 or more,
//   - and at 95 % of all positions;
//   - the mean of KL(reference || ours) is at most 0.005. It is taken over 21 outcomes: the reference's 20
//   best tokens
//     and "any other", each distribution being its softmax over the whole vocabulary; natural logarithms,
//     float64.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <iostream>
#include <limits>
#include <optional>
#include <string>

#include "kernels/dtypes/dequantize.h"
#include "tests/fakes/model_files.h"
#include "tests/fakes/model_run.h"

namespace parley::inference::model {
namespace {

using backend::BackendOptions;
using tests::fakes::ModelRun;

constexpr std::size_t kTop = 20;
constexpr double kClearGap = 0.5;
constexpr double kMinAgreement = 0.95;
constexpr double kMaxMeanKl = 0.005;

struct GoldenPosition {
  std::array<std::size_t, kTop> ids;  // largest logit first
  std::array<float, kTop> logits;
  float rest = 0;  // log of the sum of exp over all other logits

  double gap() const { return static_cast<double>(logits[0]) - logits[1]; }
};

struct GoldenText {
  std::vector<std::int32_t> token_ids;
  std::vector<GoldenPosition> positions;
};

std::vector<float> read_floats(const formats::GgufFile& file, const std::string& tensor) {
  const auto& matrix = file.find_tensor(tensor)->matrix;
  std::vector<float> values(static_cast<std::size_t>(matrix.rows * matrix.columns));
  for (std::int64_t row = 0; row < matrix.rows; ++row) {
    kernels::dtypes::dequantize_row(matrix, row,
                                    std::span(values).subspan(static_cast<std::size_t>(row * matrix.columns),
                                                              static_cast<std::size_t>(matrix.columns)));
  }
  return values;
}

std::vector<GoldenText> read_golden(const std::filesystem::path& path) {
  const auto file = formats::open_gguf(path);
  std::vector<GoldenText> texts;
  for (int i = 0;; ++i) {
    const std::string suffix = "." + std::to_string(i);
    const formats::MetadataValue* ids = file->find_metadata("golden.token_ids" + suffix);
    if (ids == nullptr) return texts;
    GoldenText& text = texts.emplace_back();
    for (const std::int64_t id : std::get<std::vector<std::int64_t>>(*ids)) {
      text.token_ids.push_back(static_cast<std::int32_t>(id));
    }
    const auto& top_ids =
        std::get<std::vector<std::int64_t>>(*file->find_metadata("golden.top_ids" + suffix));
    const std::vector<float> top_logits = read_floats(*file, "top_logits" + suffix);
    const std::vector<float> rest = read_floats(*file, "rest" + suffix);
    for (std::size_t p = 0; p < rest.size(); ++p) {
      GoldenPosition& position = text.positions.emplace_back();
      for (std::size_t k = 0; k < kTop; ++k) {
        position.ids[k] = static_cast<std::size_t>(top_ids.at(p * kTop + k));
        position.logits[k] = top_logits.at(p * kTop + k);
      }
      position.rest = rest[p];
    }
  }
}

using Outcomes = std::array<double, kTop + 1>;  // natural logarithms

double log_sum_exp(std::span<const double> values) {
  const double largest = *std::ranges::max_element(values);
  double sum = 0;
  for (const double value : values) sum += std::exp(value - largest);
  return largest + std::log(sum);
}

Outcomes log_probabilities(Outcomes logits) {
  const double total = log_sum_exp(logits);
  for (double& value : logits) value -= total;
  return logits;
}

Outcomes reference_outcomes(const GoldenPosition& golden) {
  Outcomes outcomes{};
  std::ranges::copy(golden.logits, outcomes.begin());
  outcomes.back() = golden.rest;
  return log_probabilities(outcomes);
}

Outcomes our_outcomes(const GoldenPosition& golden, const std::vector<float>& logits) {
  Outcomes outcomes{};
  std::vector<double> others(logits.begin(), logits.end());
  for (std::size_t k = 0; k < kTop; ++k) {
    outcomes[k] = logits.at(golden.ids[k]);
    others[golden.ids[k]] = -std::numeric_limits<double>::infinity();
  }
  outcomes.back() = log_sum_exp(others);
  return log_probabilities(outcomes);
}

double divergence(const Outcomes& reference, const Outcomes& ours) {
  double sum = 0;
  for (std::size_t k = 0; k < reference.size(); ++k) sum += std::exp(reference[k]) * (reference[k] - ours[k]);
  return sum;
}

struct Comparison {
  int positions = 0;
  int equal_tops = 0;
  int clear_positions = 0;
  int equal_clear_tops = 0;
  double divergence_sum = 0;

  void add(const GoldenPosition& golden, const std::vector<float>& logits) {
    const auto top = static_cast<std::size_t>(std::ranges::max_element(logits) - logits.begin());
    const bool equal = top == golden.ids[0];
    const bool clear = golden.gap() >= kClearGap;
    ++positions;
    equal_tops += equal ? 1 : 0;
    clear_positions += clear ? 1 : 0;
    equal_clear_tops += equal && clear ? 1 : 0;
    divergence_sum += divergence(reference_outcomes(golden), our_outcomes(golden, logits));
  }
};

std::optional<std::filesystem::path> find_golden(const std::string& model) {
  const std::string name = model + ".golden";
  const std::filesystem::path committed =
      std::filesystem::path(PARLEY_SOURCE_DIR) / "tests/goldens/models" / name;
  if (std::filesystem::exists(committed)) return committed;
  return tests::fakes::find_model(name);
}

class RealModel : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    const std::string model = GetParam();
    path_ = tests::fakes::find_model(model + ".gguf");
    if (!path_) GTEST_SKIP() << tests::fakes::missing_model(model + ".gguf");
    const auto golden = find_golden(model);
    if (!golden) {
      GTEST_SKIP() << "no golden for " << model << ": make it with tests/goldens/make_model_golden.py "
                   << path_->string();
    }
    texts_ = read_golden(*golden);
    ASSERT_FALSE(texts_.empty());
  }
  static BackendOptions options() {
    BackendOptions options;
    options.num_blocks = 64;
    options.max_rows = 64;
    return options;
  }

  std::optional<std::filesystem::path> path_;
  std::vector<GoldenText> texts_;
};

TEST_P(RealModel, cpu_agrees_with_transformers_on_dequantised_weights) {
  ModelRun run(*path_, backend::make_cpu_backend, options());
  Comparison all;
  for (std::size_t i = 0; i < texts_.size(); ++i) {
    const ModelRun::Logits logits = run.run(static_cast<int>(i), texts_[i].token_ids, 64);
    for (std::size_t p = 0; p < logits.size(); ++p) all.add(texts_[i].positions.at(p), logits[p]);
  }
  RecordProperty("positions", all.positions);
  std::cout << GetParam() << ": top token equal at " << all.equal_tops << " of " << all.positions
            << " positions, at " << all.equal_clear_tops << " of the " << all.clear_positions
            << " with a clear gap; mean KL " << all.divergence_sum / all.positions << "\n";
  EXPECT_EQ(all.equal_clear_tops, all.clear_positions);
  EXPECT_GE(all.equal_tops, kMinAgreement * all.positions);
  EXPECT_LE(all.divergence_sum / all.positions, kMaxMeanKl);
  EXPECT_GT(all.clear_positions, all.positions / 2) << "the golden must have something to say";
}

TEST_P(RealModel, chunks_and_threads_do_not_change_a_bit) {
  const auto ids = std::span<const std::int32_t>(texts_.at(1).token_ids).first(40);
  ModelRun::Logits first;
  for (const int num_threads : {1, 2, 3}) {
    BackendOptions with_threads = options();
    with_threads.num_threads = num_threads;
    ModelRun run(*path_, backend::make_cpu_backend, with_threads);
    int sequence = 0;
    for (const std::size_t chunk : {40U, 7U, 1U}) {
      const ModelRun::Logits logits = run.run(sequence++, ids, chunk);
      if (first.empty()) first = logits;
      ASSERT_EQ(logits.size(), first.size());
      for (std::size_t p = 0; p < logits.size(); ++p) {
        ASSERT_EQ(logits[p], first[p])
            << num_threads << " threads, chunks of " << chunk << ", position " << p;
      }
    }
  }
}

// No quantised activations here, so what is left is the order of float32 sums: this checks names, shapes,
// rope and decoders on the real file far more sharply. Naive loops, so only the first tokens of one text.
TEST_P(RealModel, reference_equals_transformers_closely) {
  const GoldenText& text = texts_.at(2);
  ModelRun run(*path_, backend::make_reference_backend, options());
  const ModelRun::Logits logits = run.run(0, std::span(text.token_ids).first(8), 8);
  for (std::size_t p = 0; p < logits.size(); ++p) {
    const GoldenPosition& golden = text.positions.at(p);
    for (std::size_t k = 0; k < kTop; ++k) {
      EXPECT_NEAR(logits[p][golden.ids[k]], golden.logits[k], 2e-4 * std::abs(golden.logits[0]))
          << "position " << p << ", token " << golden.ids[k];
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Goldens, RealModel,
                         testing::Values("SmolLM2-135M-Instruct.Q4_1", "qwen2.5-coder-0.5b",
                                         "qwen2.5-coder-1.5b"),
                         [](const auto& model) {
                           std::string name = model.param;
                           for (char& c : name) c = std::isalnum(static_cast<unsigned char>(c)) ? c : '_';
                           return name;
                         });

}  // namespace
}  // namespace parley::inference::model
