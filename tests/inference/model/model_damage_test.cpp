// Model files with bits flipped at random, taken as far as they go: opened, described, loaded and run.
// Nothing may happen but std::runtime_error or a result.

#include <gtest/gtest.h>

#include <random>
#include <stdexcept>
#include <string>

#include "inference/model/summary_text.h"
#include "tests/fakes/model_run.h"
#include "tests/fakes/temp_directory.h"
#include "tests/fakes/tiny_model.h"

namespace parley::inference::model {
namespace {

using tests::fakes::GgufWriter;
using tests::fakes::ModelRun;
using tests::fakes::TinyModel;

class ModelDamage : public testing::Test {
 protected:
  ModelDamage() {
    TinyModel model({.num_layers = 1, .hidden_dim = 16, .num_heads = 2, .num_kv_heads = 1, .ffn_dim = 16});
    model.writer().add("tokenizer.ggml.model", "gpt2").add("tokenizer.chat_template", "{{ x }}");
    bytes_ = model.writer().bytes();
    header_bytes_ = bytes_.size() - 16 * (2 * 16 + 2 * 8 + 3 * 16 + 64) * 4;  // about: the matrices' bytes
  }

  // True: the model ran.
  bool survives(const std::string& bytes) {
    GgufWriter::write_file(path_, bytes);
    try {
      to_text(summarise_model(*formats::open_gguf(path_), 100));
      backend::BackendOptions options;
      options.num_blocks = 4;
      ModelRun run(path_, backend::make_reference_backend, options);
      const std::vector<std::int32_t> ids = {0, 1};
      run.run(0, ids, 2);
      return true;
    } catch (const std::runtime_error& error) {
      EXPECT_TRUE(std::string(error.what()).starts_with(path_.string() + ": ")) << error.what();
      return false;
    }
  }

  tests::fakes::TempDirectory directory_;
  std::filesystem::path path_ = directory_.path() / "damaged.gguf";
  std::string bytes_;
  std::size_t header_bytes_ = 0;
};

TEST_F(ModelDamage, flipped_bits_never_crash) {
  ASSERT_TRUE(survives(bytes_));
  std::mt19937 random(77);
  int ran = 0;
  constexpr int kFiles = 1500;
  for (int i = 0; i < kFiles; ++i) {
    std::string damaged = bytes_;
    // Half of the flips hit the header, where they matter most.
    const std::size_t range = i % 2 == 0 ? header_bytes_ : bytes_.size();
    damaged[random() % range] ^= static_cast<char>(1U << (random() % 8));
    ran += survives(damaged) ? 1 : 0;
  }
  EXPECT_GT(ran, 0);
  EXPECT_LT(ran, kFiles);
}

}  // namespace
}  // namespace parley::inference::model
