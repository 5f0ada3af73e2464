#include "app/models/tool_settings.h"

#include <gtest/gtest.h>
#include <simdjson.h>

#include "app/models/catalogue.h"
#include "tests/fakes/message_of.h"

namespace parley::app::models {
namespace {

using orchestration::calls::CallDetection;
using orchestration::turn::ToolProfile;

ToolWords words() {
  ToolWords result;
  result.model = "toy";
  return result;
}

TEST(ToolSettings, WithoutWordsNothingIsSaid) {
  const ToolSettings settings = read_tool_settings(words());
  EXPECT_EQ(settings.profile, std::nullopt);
  EXPECT_EQ(settings.format, nullptr);
  EXPECT_EQ(settings.detection, CallDetection::lenient);
}

TEST(ToolSettings, ReadsProfileFormatAndLeniency) {
  ToolWords said = words();
  said.tools = "native";
  said.call_format = "llama-3";
  said.lenient_calls = false;
  const ToolSettings settings = read_tool_settings(said);
  EXPECT_EQ(settings.profile, ToolProfile::native);
  EXPECT_EQ(settings.format->name, "llama-3");
  EXPECT_EQ(settings.detection, CallDetection::native);
  said.tools = "weak";
  EXPECT_EQ(read_tool_settings(said).profile, ToolProfile::weak);
  said.tools = "none";
  EXPECT_EQ(read_tool_settings(said).profile, ToolProfile::none);
}

TEST(ToolSettings, AnErrorSaysWhatIsAllowed) {
  ToolWords said = words();
  said.tools = "strong";
  const std::string profile = tests::fakes::message_of([&] { read_tool_settings(said); });
  EXPECT_NE(profile.find("toy"), std::string::npos) << profile;
  EXPECT_NE(profile.find("native, weak and none"), std::string::npos) << profile;
  said.tools.reset();
  said.call_format = "xml";
  const std::string format = tests::fakes::message_of([&] { read_tool_settings(said); });
  EXPECT_NE(format.find("hermes"), std::string::npos) << format;
}

TEST(ToolSettings, OurModelsHaveTheProfilesTheyWereMeasuredToHave) {
  for (const CatalogueEntry& entry : catalogue()) {
    EXPECT_EQ(entry.tools.profile, entry.name == "smollm2-135m" ? ToolProfile::none : ToolProfile::weak)
        << entry.name;
  }
}

TEST(ToolSettings, TheSchemaListsWhatTheReaderTakes) {
  simdjson::dom::parser parser;
  const simdjson::dom::element schema = parser.load(PARLEY_SOURCE_DIR "/config/models.schema.json");
  const simdjson::dom::element fields = schema["properties"]["models"]["items"]["properties"];
  std::size_t num_profiles = 0;
  for (const std::string_view word : simdjson::dom::array(fields["tools"]["enum"])) {
    ToolWords said = words();
    said.tools = word;
    EXPECT_NO_THROW(read_tool_settings(said)) << word;
    ++num_profiles;
  }
  EXPECT_EQ(num_profiles, 3u);
  std::size_t num_formats = 0;
  for (const std::string_view word : simdjson::dom::array(fields["call_format"]["enum"])) {
    ToolWords said = words();
    said.call_format = word;
    EXPECT_NO_THROW(read_tool_settings(said)) << word;
    ++num_formats;
  }
  EXPECT_EQ(num_formats, orchestration::calls::call_formats().size());
}

}  // namespace
}  // namespace parley::app::models
