#include "app/config/settings.h"

#include <gtest/gtest.h>
#include <simdjson.h>

#include <fstream>
#include <iterator>

#include "app/config/load_config.h"

namespace parley::app::config {
namespace {

TEST(ParseSize, ReadsUnits) {
  EXPECT_EQ(parse_size("0"), 0u);
  EXPECT_EQ(parse_size("4096"), 4096u);
  EXPECT_EQ(parse_size("512M"), 512u << 20);
  EXPECT_EQ(parse_size("2g"), std::size_t{2} << 30);
  EXPECT_EQ(parse_size("8k"), 8192u);
}

TEST(ParseSize, RefusesWhatIsNoSize) {
  for (const char* text : {"", "M", "-1", "1.5G", "2GB", "12 M", "99999999999999999999", "70368744177665G"}) {
    EXPECT_THROW(parse_size(text), ConfigError) << text;
  }
}

TEST(Settings, NamesFollowTheKey) {
  const Setting* setting = find_setting("kv_memory");
  ASSERT_NE(setting, nullptr);
  EXPECT_EQ(option_name(*setting), "kv-memory");
  EXPECT_EQ(variable_name(*setting), "PARLEY_KV_MEMORY");
}

TEST(Settings, NumbersOutOfRangeAreRefused) {
  Config config;
  for (const auto& [key, text] : std::vector<std::pair<const char*, const char*>>{{"port", "65536"},
                                                                                  {"port", "-1"},
                                                                                  {"port", "80a"},
                                                                                  {"temperature", "nan"},
                                                                                  {"temperature", "-0.1"},
                                                                                  {"top_p", "1.5"},
                                                                                  {"max_sequences", "0"},
                                                                                  {"kv_type", "f8"},
                                                                                  {"access_key", "short"}}) {
    EXPECT_THROW(find_setting(key)->read(config, text), ConfigError) << key << "=" << text;
  }
}

TEST(Settings, SchemaListsExactlyTheSettings) {
  simdjson::dom::parser parser;
  const simdjson::dom::element schema = parser.load(PARLEY_SOURCE_DIR "/config/parley.schema.json");
  std::vector<std::string> listed;
  for (const auto& field : simdjson::dom::object(schema["properties"])) {
    if (field.key != "$schema") listed.emplace_back(field.key);
  }
  std::vector<std::string> expected;
  for (const Setting& setting : settings()) expected.emplace_back(setting.key);
  EXPECT_EQ(listed, expected);
}

TEST(Settings, TheShippedFileNamesEveryKeyAndGivesTheDefaults) {
  const std::string path = PARLEY_SOURCE_DIR "/config/parley.json";
  std::ifstream file(path);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  for (const Setting& setting : settings())
    EXPECT_NE(text.find('"' + std::string(setting.key) + "\":"), std::string::npos) << setting.key;
  ConfigSources sources;
  sources.file = path;
  sources.environment = [](const std::string&) { return std::nullopt; };
  const Config shipped = load_config(sources);
  const Config built_in;
  EXPECT_EQ(shipped.port, built_in.port);
  EXPECT_EQ(shipped.step_time, built_in.step_time);
  EXPECT_EQ(shipped.max_waiting, built_in.max_waiting);
  EXPECT_EQ(shipped.max_tokens, built_in.max_tokens);
  EXPECT_EQ(shipped.temperature, built_in.temperature);
  EXPECT_EQ(shipped.repeat_penalty, built_in.repeat_penalty);
  EXPECT_EQ(shipped.drain_time, built_in.drain_time);
  EXPECT_EQ(shipped.allowed_hosts, built_in.allowed_hosts);
}

}  // namespace
}  // namespace parley::app::config
