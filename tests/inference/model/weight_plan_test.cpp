#include "inference/model/weight_plan.h"

#include <gtest/gtest.h>

#include <cstring>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "inference/formats/gguf.h"
#include "tests/fakes/gguf_writer.h"
#include "tests/fakes/temp_directory.h"

namespace parley::inference::model {
namespace {

using backend::WeightHandle;

// Keeps what it is given; computes nothing.
class KeepingBackend final : public backend::Backend {
 public:
  WeightHandle load(const backend::WeightSource& source) override {
    sources.push_back(source);
    return std::make_unique<backend::Weight>();
  }
  void embed(const backend::StepPlan&, const backend::Weight&) override {}
  void norm_linear(const backend::Weight&, const backend::Weight&, backend::Activation) override {}
  void rope_store_kv(int) override {}
  void attention(int) override {}
  void swiglu() override {}
  void linear_add(const backend::Weight&, backend::Activation) override {}
  void logits(const backend::Weight&, const backend::Weight&) override {}
  std::vector<backend::SampledToken> sample(const backend::SamplePlan&) override { return {}; }
  std::vector<float> read_logits(int) override { return {}; }
  std::string_view name() const override { return "keeping"; }

  std::vector<backend::WeightSource> sources;
};

// A table [4, 2], a norm [2], matrices a [3, 2] and b [5, 2], biases of a, and rope divisors.
class WeightPlanTest : public testing::Test {
 protected:
  WeightPlanTest() {
    const auto path = directory_.path() / "weights.gguf";
    tests::fakes::GgufWriter writer;
    writer.add_f32("table.weight", {2, 4}, std::vector<float>(8, 1))
        .add_f32("norm.weight", {2}, {2, 2})
        .add_f32("a.weight", {2, 3}, std::vector<float>(6, 3))
        .add_f32("a.bias", {3}, {4, 4, 4})
        .add_f32("b.weight", {2, 5}, std::vector<float>(10, 5))
        .add_f32("divisors", {1}, {1});
    writer.write(path);
    file_ = formats::open_gguf(path);
    plan_.emplace(*file_);
  }
  template <typename Action>
  std::string error(const Action& action) {
    try {
      action();
    } catch (const std::runtime_error& error) {
      return std::string(error.what()).substr(file_->path().string().size() + 2);
    }
    return "no error";
  }
  static float first_value(const kernels::dtypes::MatrixView& matrix) {
    float value;
    std::memcpy(&value, matrix.data, sizeof value);
    return value;
  }

  tests::fakes::TempDirectory directory_;
  std::unique_ptr<formats::GgufFile> file_;
  std::optional<WeightPlan> plan_;
  WeightHandle table_, norm_, linear_;
};

const LinearPart kTable[] = {{"table", 4}};

TEST_F(WeightPlanTest, loads_in_the_order_of_adding_and_fills_the_handles) {
  const LinearPart a[] = {{"a", 3}};
  plan_->add_linear(table_, kTable, 2);
  plan_->add_linear(linear_, a, 2);
  plan_->add_norm(norm_, "norm", 2);
  EXPECT_EQ(table_, nullptr) << "nothing is loaded before load()";
  KeepingBackend backend;
  std::vector<double> progress;
  plan_->load(backend, [&](double share) { progress.push_back(share); });
  EXPECT_NE(table_, nullptr);
  EXPECT_NE(linear_, nullptr);
  EXPECT_NE(norm_, nullptr);
  ASSERT_EQ(backend.sources.size(), 3u);
  EXPECT_EQ(first_value(std::get<backend::LinearSource>(backend.sources[0]).parts[0]), 1.0F);
  const auto& linear = std::get<backend::LinearSource>(backend.sources[1]);
  ASSERT_EQ(linear.parts.size(), 1u);
  EXPECT_EQ(first_value(linear.parts[0]), 3.0F);
  ASSERT_EQ(linear.biases.size(), 1u);
  EXPECT_EQ(first_value(linear.biases[0]), 4.0F);
  EXPECT_EQ(first_value(std::get<backend::VectorSource>(backend.sources[2]).values), 2.0F);
  // Bytes of weights: 32, 24, 8. Biases are not counted.
  EXPECT_EQ(progress, (std::vector<double>{0.0, 0.5, 56.0 / 64, 1.0}));
}

TEST_F(WeightPlanTest, parts_have_biases_all_or_none) {
  const LinearPart both[] = {{"a", 3}, {"b", 5}};
  EXPECT_EQ(error([&] { plan_->add_linear(linear_, both, 2); }), "tensor 'b.bias': is missing");
  const LinearPart without[] = {{"b", 5}};
  plan_->add_linear(linear_, without, 2);
  KeepingBackend backend;
  plan_->load(backend, {});
  EXPECT_TRUE(std::get<backend::LinearSource>(backend.sources.at(0)).biases.empty());
  const LinearPart refused[] = {{"a", 3, Biases::none}};
  plan_->add_linear(linear_, refused, 2);
  plan_->load(backend, {});
  EXPECT_TRUE(std::get<backend::LinearSource>(backend.sources.back()).biases.empty());
  const LinearPart required[] = {{"b", 5, Biases::required}};
  EXPECT_EQ(error([&] { plan_->add_linear(linear_, required, 2); }), "tensor 'b.bias': is missing");
}

TEST_F(WeightPlanTest, names_what_is_missing_or_has_another_shape) {
  EXPECT_TRUE(plan_->has("a"));
  EXPECT_FALSE(plan_->has("c"));
  EXPECT_FALSE(plan_->has("divisors")) << "names are without .weight";
  const LinearPart turned[] = {{"table", 2}};
  EXPECT_EQ(error([&] { plan_->add_norm(norm_, "c", 2); }), "tensor 'c.weight': is missing");
  EXPECT_EQ(error([&] { plan_->add_linear(table_, turned, 4); }),
            "tensor 'table.weight': has shape [4, 2] [rows, columns], expected [2, 4]");
  EXPECT_EQ(error([&] { plan_->add_norm(norm_, "norm", 3); }),
            "tensor 'norm.weight': has shape [1, 2] [rows, columns], expected [1, 3]");
}

TEST_F(WeightPlanTest, refuses_tensors_that_nothing_asked_for) {
  const LinearPart a[] = {{"a", 3}};
  const LinearPart b[] = {{"b", 5}};
  plan_->add_linear(table_, kTable, 2);
  plan_->add_norm(norm_, "norm", 2);
  plan_->add_linear(linear_, a, 2);
  plan_->accept("divisors");
  EXPECT_EQ(
      error([&] { plan_->refuse_unused(); }),
      "tensor 'b.weight': is not part of the architecture that the file names; the model is of another kind");
  plan_->add_linear(linear_, b, 2);
  EXPECT_EQ(error([&] { plan_->refuse_unused(); }), "no error");
}

}  // namespace
}  // namespace parley::inference::model
