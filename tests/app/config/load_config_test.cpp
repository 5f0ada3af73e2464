#include "app/config/load_config.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <map>

namespace parley::app::config {
namespace {

class LoadConfig : public ::testing::Test {
 protected:
  void SetUp() override {
    file_ = std::filesystem::temp_directory_path() /
            ("parley-config-" + std::to_string(::getpid()) + "-" +
             ::testing::UnitTest::GetInstance()->current_test_info()->name() + ".json");
  }
  void TearDown() override { std::filesystem::remove(file_); }

  void write(const std::string& text) { std::ofstream(file_) << text; }

  Config load(Overrides options = {}) {
    ConfigSources sources;
    if (std::filesystem::exists(file_)) sources.file = file_;
    sources.environment = [this](const std::string& name) -> std::optional<std::string> {
      const auto found = environment_.find(name);
      return found == environment_.end() ? std::nullopt : std::optional(found->second);
    };
    sources.command_line = std::move(options);
    return load_config(sources);
  }

  std::string error_of(Overrides options = {}) {
    try {
      load(std::move(options));
    } catch (const ConfigError& error) {
      return error.what();
    }
    return "no error";
  }

  std::filesystem::path file_;
  std::map<std::string, std::string> environment_{{"HOME", "/home/ada"}};
};

TEST_F(LoadConfig, DefaultsAreSafe) {
  const Config config = load();
  EXPECT_EQ(config.host, "127.0.0.1");
  EXPECT_EQ(config.port, 8080);
  EXPECT_EQ(config.data_dir, "/home/ada/.local/share/parley");
  EXPECT_TRUE(config.access_key.empty());
}

TEST_F(LoadConfig, LaterSourcesWin) {
  write(R"({"port": 1, "context": 11, "threads": 3})");
  environment_["PARLEY_PORT"] = "2";
  environment_["PARLEY_CONTEXT"] = "22";
  const Config config = load({{"port", "4"}});
  EXPECT_EQ(config.port, 4);
  EXPECT_EQ(config.context, 22);
  EXPECT_EQ(config.threads, 3);
}

TEST_F(LoadConfig, FileMayHoldCommentsAndLists) {
  write("// mine\n{\"allowed_hosts\": [\"a.example\", /* and */ \"b.example\"], \"model\": \"http://x\"}\n");
  const Config config = load();
  EXPECT_EQ(config.allowed_hosts, (std::vector<std::string>{"a.example", "b.example"}));
  EXPECT_EQ(config.model, "http://x");
}

TEST_F(LoadConfig, UnknownKeyNamesTheNearest) {
  write(R"({"contxt": 4096})");
  EXPECT_NE(error_of().find("did you mean \"context\""), std::string::npos) << error_of();
}

TEST_F(LoadConfig, ErrorsNameTheirSource) {
  EXPECT_EQ(error_of({{"port", "x"}}), "option --port: expected a number from 0 to 65535, not \"x\"");
  environment_["PARLEY_KV_TYPE"] = "f8";
  EXPECT_NE(error_of().find("PARLEY_KV_TYPE"), std::string::npos);
}

TEST_F(LoadConfig, BrokenFilesAreRefused) {
  for (const char* text : {"", "{", "[]", "{\"port\": {}}", "{\"port\": 1, \"port\": 2}", "{\"port\": true}",
                           "{\"allowed_hosts\": [1]}", "{\"port\": 1} x"}) {
    write(text);
    EXPECT_NE(error_of().find(file_.string()), std::string::npos) << text;
  }
}

TEST_F(LoadConfig, WhatIsNoConfigurationFileIsRefusedUnread) {
  write(std::string((1 << 20) + 1, ' '));
  EXPECT_EQ(error_of(), file_.string() + ": larger than 1 MiB, so not a configuration file");
  std::filesystem::remove(file_);
  std::filesystem::create_directory(file_);
  EXPECT_EQ(error_of(),
            "cannot read the configuration file " + file_.string() + "; check the path and its permissions");
}

TEST_F(LoadConfig, MissingFileIsAnError) {
  ConfigSources sources;
  sources.file = "/nonexistent/parley.json";
  sources.environment = [](const std::string&) { return std::nullopt; };
  EXPECT_THROW(load_config(sources), ConfigError);
}

}  // namespace
}  // namespace parley::app::config
