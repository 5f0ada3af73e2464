#include "app/models/catalogue.h"

#include <gtest/gtest.h>
#include <simdjson.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <set>

namespace parley::app::models {
namespace {

class FindModel : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::temp_directory_path() / ("parley-models-" + std::to_string(::getpid()));
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  config::Environment environment() const {
    return [this](const std::string& name) {
      return name == "PARLEY_MODELS" ? std::optional(folder_.string()) : std::nullopt;
    };
  }
  std::filesystem::path add(const std::string& name) {
    std::filesystem::create_directories((folder_ / name).parent_path());
    std::ofstream(folder_ / name) << "GGUF";
    return folder_ / name;
  }
  std::string error_of(std::string_view wanted) {
    try {
      find_model(wanted, environment());
    } catch (const ModelNotFound& error) {
      return error.what();
    }
    return "no error";
  }

  std::filesystem::path folder_;
};

TEST_F(FindModel, CatalogueHasOneDefaultAndThreeModels) {
  int defaults = 0;
  for (const CatalogueEntry& entry : catalogue()) defaults += entry.is_default ? 1 : 0;
  EXPECT_EQ(catalogue().size(), 3u);
  EXPECT_EQ(defaults, 1);
}

TEST_F(FindModel, EveryModelHasTheFieldsOfTheSchemaAndNoOther) {
  simdjson::dom::parser schema_parser, parser;
  const simdjson::dom::element schema = schema_parser.load(PARLEY_SOURCE_DIR "/config/models.schema.json");
  const simdjson::dom::element item = schema["properties"]["models"]["items"];
  std::set<std::string> known, required;
  for (const auto& field : simdjson::dom::object(item["properties"])) known.emplace(field.key);
  for (const std::string_view name : simdjson::dom::array(item["required"])) required.emplace(name);
  const simdjson::dom::element models = parser.load(PARLEY_SOURCE_DIR "/config/models.json");
  for (const simdjson::dom::object model : simdjson::dom::array(models["models"])) {
    std::set<std::string> found;
    for (const auto& field : model) found.emplace(field.key);
    for (const std::string& name : found) EXPECT_TRUE(known.contains(name)) << name;
    for (const std::string& name : required) EXPECT_TRUE(found.contains(name)) << name;
    EXPECT_EQ(std::string_view(model["sha256"]).size(), 64u) << std::string_view(model["name"]);
    EXPECT_GT(std::int64_t(model["bytes"]), 0) << std::string_view(model["name"]);
  }
}

TEST_F(FindModel, TheEncoderIsFoundOnceItsWeightsAreThere) {
  EXPECT_EQ(find_encoder(environment()), std::nullopt);
  EXPECT_NE(encoder_advice().find("scripts/model all-minilm-l6-v2"), std::string::npos);
  const auto weights = add("all-minilm-l6-v2/model.safetensors");
  EXPECT_EQ(find_encoder(environment()), weights.parent_path());
}

TEST_F(FindModel, ByName) {
  const auto file = add("SmolLM2-135M-Instruct.Q4_1.gguf");
  EXPECT_EQ(find_model("smollm2-135m", environment()).file, file);
}

TEST_F(FindModel, ByPathKnowsTheCatalogueName) {
  const auto file = add("qwen2.5-coder-0.5b.gguf");
  EXPECT_EQ(find_model(file.string(), environment()).name, "qwen2.5-coder-0.5b");
  EXPECT_EQ(find_model(add("mine.gguf").string(), environment()).name, "mine");
}

TEST_F(FindModel, ErrorsSayWhatToDo) {
  EXPECT_NE(error_of("").find("scripts/model qwen2.5-coder-1.5b"), std::string::npos) << error_of("");
  EXPECT_NE(error_of("smollm2-135").find("did you mean smollm2-135m?"), std::string::npos);
  EXPECT_NE(error_of("nowhere/x.gguf").find("no model file nowhere/x.gguf"), std::string::npos);
}

}  // namespace
}  // namespace parley::app::models
