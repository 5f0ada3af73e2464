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
    EXPECT_EQ(parse_size(text), std::nullopt) << text;
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
  for (const auto& [key, text] :
       std::vector<std::pair<const char*, const char*>>{{"port", "65536"},
                                                        {"port", "-1"},
                                                        {"port", "80a"},
                                                        {"temperature", "nan"},
                                                        {"temperature", "-0.1"},
                                                        {"top_p", "1.5"},
                                                        {"max_sequences", "0"},
                                                        {"kv_type", "f8"},
                                                        {"allowed_hosts", "http://a"},
                                                        {"access_key", "short"}}) {
    EXPECT_TRUE(find_setting(key)->read(config, text).has_value()) << key << "=" << text;
  }
}

TEST(Settings, ProblemsSayWhatIsExpectedAndChangeNothing) {
  const auto problem = [](std::string_view key, std::string_view text) {
    Config config;
    const auto words = find_setting(key)->read(config, text);
    EXPECT_EQ(config.port, Config().port);
    EXPECT_EQ(config.temperature, Config().temperature);
    return words.value_or("none");
  };
  EXPECT_EQ(problem("port", "70000"), "expected a number from 0 to 65535, not \"70000\"");
  EXPECT_EQ(problem("temperature", "hot"), "expected a number from 0.0 to 2.0, not \"hot\"");
  EXPECT_EQ(problem("kv_memory", "lots"), "expected a size such as 512M or 2G, not \"lots\"");
  EXPECT_EQ(problem("kv_type", "f8"), "expected f16 or f32, not \"f8\"");
  EXPECT_EQ(problem("access_key", "my secret").find("secret"), std::string::npos);
}

TEST(Settings, EverySettingReadsItsOwnField) {
  Config config;
  const std::pair<const char*, const char*> texts[] = {{"model", "m"},
                                                       {"data", "/d"},
                                                       {"tools", "/t"},
                                                       {"host", "::1"},
                                                       {"port", "1"},
                                                       {"threads", "2"},
                                                       {"context", "3"},
                                                       {"kv_memory", "4k"},
                                                       {"kv_type", "f32"},
                                                       {"step_ms", "5"},
                                                       {"max_sequences", "6"},
                                                       {"max_waiting", "7"},
                                                       {"temperature", "0.25"},
                                                       {"top_k", "8"},
                                                       {"top_p", "0.5"},
                                                       {"min_p", "0.125"},
                                                       {"repeat_penalty", "1.5"},
                                                       {"max_tokens", "9"},
                                                       {"drain_ms", "10"},
                                                       {"ui_dir", "/u"},
                                                       {"allowed_hosts", "A.,, b"},
                                                       {"access_key", "0123456789abcdef"}};
  ASSERT_EQ(std::size(texts), settings().size());
  for (const auto& [key, text] : texts) EXPECT_EQ(find_setting(key)->read(config, text), std::nullopt) << key;
  EXPECT_EQ(config.model, "m");
  EXPECT_EQ(config.data_dir, "/d");
  EXPECT_EQ(config.tools_file, "/t");
  EXPECT_EQ(config.host, "::1");
  EXPECT_EQ(config.port, 1);
  EXPECT_EQ(config.threads, 2);
  EXPECT_EQ(config.context, 3);
  EXPECT_EQ(config.kv_memory, 4096u);
  EXPECT_EQ(config.kv_type, inference::backend::KvType::f32);
  EXPECT_EQ(config.step_time, std::chrono::milliseconds(5));
  EXPECT_EQ(config.max_sequences, 6);
  EXPECT_EQ(config.max_waiting, 7);
  EXPECT_EQ(config.temperature, 0.25);
  EXPECT_EQ(config.top_k, 8);
  EXPECT_EQ(config.top_p, 0.5);
  EXPECT_EQ(config.min_p, 0.125);
  EXPECT_EQ(config.repeat_penalty, 1.5);
  EXPECT_EQ(config.max_tokens, 9);
  EXPECT_EQ(config.drain_time, std::chrono::milliseconds(10));
  EXPECT_EQ(config.ui_dir, "/u");
  EXPECT_EQ(config.allowed_hosts, (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(config.access_key, "0123456789abcdef");
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
