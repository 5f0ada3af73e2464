// Which tools file a server uses.
#include "app/cli/tools_place.h"

#include <gtest/gtest.h>

#include <fstream>
#include <stdexcept>

#include <boost/asio/io_context.hpp>

#include "app/cli/tools_off.h"
#include "tests/fakes/temp_directory.h"

namespace parley::app::cli {
namespace {

class ToolsPlaceTest : public testing::Test {
 protected:
  ToolsPlace find(const config::Config& config = {}) { return tools_place(config, environment_); }
  void write(const std::filesystem::path& file) {
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file) << "{}";
  }

  tests::fakes::TempDirectory folder_;
  const std::filesystem::path own_ = folder_.path() / "parley" / "tools.json";
  config::Environment environment_ = [this](const std::string& name) {
    return name == "XDG_CONFIG_HOME" ? std::optional(folder_.path().string()) : std::nullopt;
  };
};

TEST_F(ToolsPlaceTest, TheUsersOwnFileNeedNotBeThereYet) {
  EXPECT_EQ(find().file, own_);
  EXPECT_EQ(find().why_off, "");
  write(own_);
  EXPECT_EQ(find().file, own_);
}

TEST_F(ToolsPlaceTest, AFileThatIsNamedGoesFirstAndMustBeThere) {
  config::Config config;
  config.tools_file = folder_.path() / "other.json";
  EXPECT_THROW(find(config), std::runtime_error);
  write(config.tools_file);
  EXPECT_EQ(find(config).file, config.tools_file);
}

TEST_F(ToolsPlaceTest, ToolsThatAreOffSayWhyAndWhetherAnybodyMissesThem) {
  config::Config config;
  config.host = "0.0.0.0";
  EXPECT_TRUE(find(config).file.empty());
  EXPECT_NE(find(config).why_off.find("access_key"), std::string::npos);
  EXPECT_FALSE(find(config).is_missed);
  write(own_);
  EXPECT_TRUE(find(config).is_missed);
  config.tools_file = "/nowhere/tools.json";
  EXPECT_TRUE(find(config).is_missed);
}

TEST_F(ToolsPlaceTest, WithoutAFolderAFileHasToBeNamed) {
  environment_ = [](const std::string&) { return std::optional<std::string>(); };
  EXPECT_TRUE(find().file.empty());
  EXPECT_NE(find().why_off.find("--tools"), std::string::npos);
}

TEST(ToolsOffTest, TellsWhyThereAreNone) {
  boost::asio::io_context io;
  const ToolsOff off("Because.", io.get_executor());
  EXPECT_EQ(off.snapshot().off, "Because.");
  EXPECT_TRUE(off.snapshot().tools.empty());
  EXPECT_TRUE(off.registry()->tools.tools().empty());
  EXPECT_EQ(off.version(), 0u);
}

}  // namespace
}  // namespace parley::app::cli
