#pragma once
// A model file of 64 random rows whose tokens are the characters from '!' on: "!" is 0, "\"" is 1. One
// thread.

#include <filesystem>
#include <string>
#include <vector>

#include "tests/fakes/temp_directory.h"
#include "tests/fakes/tiny_model.h"

namespace parley::app::cli {

class TinyModelFile {
 public:
  static constexpr int kNumTokens = 64;

  TinyModelFile() {
    tests::fakes::TinyModel model({.hidden_dim = 64});
    std::vector<std::string> names;
    for (int id = 0; id < kNumTokens; ++id) names.emplace_back(1, static_cast<char>('!' + id));
    model.writer().add("tokenizer.ggml.model", "gpt2").add("tokenizer.ggml.pre", "gpt-2");
    model.writer().add_array("tokenizer.ggml.tokens", names);
    model.writer().write(path_);
  }
  const std::filesystem::path& path() const { return path_; }
  std::string name() const { return path_.string(); }

 private:
  tests::fakes::TempDirectory directory_;
  std::filesystem::path path_ = directory_.path() / "tiny.gguf";
};

}  // namespace parley::app::cli
