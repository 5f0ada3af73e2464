#include "app/models/open_model.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <stdexcept>
#include <string>
#include <vector>

#include "tests/fakes/message_of.h"
#include "tests/fakes/temp_directory.h"
#include "tests/fakes/tiny_model.h"

namespace parley::app::models {
namespace {

class OpenModelTest : public testing::Test {
 protected:
  void write_model(const std::string& architecture, const std::vector<std::string>& tokens) {
    tests::fakes::TinyModel model({.architecture = architecture});
    model.writer().add("tokenizer.ggml.model", "gpt2").add("tokenizer.ggml.pre", "gpt-2");
    model.writer().add_array("tokenizer.ggml.tokens", tokens);
    model.writer().write(path_);
  }

  tests::fakes::TempDirectory directory_;
  const std::filesystem::path path_ = directory_.path() / "tiny.gguf";
};

TEST_F(OpenModelTest, ReadsWhatPromptsNeed) {
  write_model("llama", {"!", "\"", "#"});
  const OpenedModel model = open_model({.name = "my model", .file = path_});
  EXPECT_EQ(model.name, "my model");
  EXPECT_EQ(model.config.architecture, "llama");
  EXPECT_EQ(model.config.max_context, 256);
  EXPECT_EQ(model.tokenizer->encode("#!"), (std::vector<std::int32_t>{2, 0}));
  EXPECT_NE(model.prompts, nullptr);
  EXPECT_EQ(model.file->file_bytes(), std::filesystem::file_size(path_));
}

TEST_F(OpenModelTest, NamesTheArchitectureThatItDoesNotKnow) {
  write_model("elephant", {"!"});
  const std::string error = tests::fakes::message_of([&] { open_model({.name = "x", .file = path_}); });
  EXPECT_NE(error.find("elephant"), std::string::npos) << error;
}

TEST_F(OpenModelTest, RefusesAFileThatIsNone) {
  EXPECT_THROW(open_model({.name = "x", .file = path_}), std::runtime_error);
}

}  // namespace
}  // namespace parley::app::models
