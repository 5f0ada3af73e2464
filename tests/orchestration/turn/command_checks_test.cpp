#include "orchestration/turn/command_checks.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>

namespace parley::orchestration::turn {
namespace {

using ErrorCode = CommandError::Code;

const std::string kId = "0190a0b1-c2d3-7e4f-8a9b-0123456789ab";

std::optional<ErrorCode> code_of(const std::optional<CommandError>& error) {
  return error ? std::optional(error->code) : std::nullopt;
}

TEST(CommandChecks, SentencesNameTheNumbers) {
  HubLimits limits;
  limits.max_title_bytes = 5;
  const auto error = check_title("123456", limits);
  ASSERT_TRUE(error);
  EXPECT_EQ(error->message, "The title has 6 bytes; at most 5 are allowed. Shorten it.");
  EXPECT_FALSE(check_title("12345", limits));
}

TEST(CommandChecks, IdsAreUuids) {
  EXPECT_FALSE(check_command_id(kId));
  EXPECT_EQ(check_command_id("x")->message, "The field 'id' must be a UUID in lower case.");
  EXPECT_FALSE(check_create(kId, "", HubLimits()));  // the title comes with the first question
  EXPECT_EQ(check_create("x", "", HubLimits())->message,
            "The field 'conversation' must be a UUID in lower case.");
}

TEST(CommandChecks, TextsHaveContentAndALimit) {
  HubLimits limits;
  limits.max_title_bytes = 5;
  limits.max_message_bytes = 5;
  SendCommand command;
  command.id = kId;
  const std::pair<const char*, std::optional<ErrorCode>> cases[] = {
      {"12345", std::nullopt},           {"", ErrorCode::invalid},
      {" \n\u3000", ErrorCode::invalid}, {"\xC3\xA4\xC3\xA4.", std::nullopt},
      {"123456", ErrorCode::too_long},   {"a\xC3", ErrorCode::invalid},
  };
  for (const auto& [text, code] : cases) {
    command.text = text;
    EXPECT_EQ(code_of(check_send(command, limits)), code) << text;
    EXPECT_EQ(code_of(check_title(text, limits)), code) << text;
  }
}

TEST(CommandChecks, SettingsHaveRanges) {
  HubLimits limits;
  limits.max_system_prompt_bytes = 3;
  const auto temperature = [&](double value) {
    SettingsCommand command;
    command.temperature = std::optional(value);
    return code_of(check_settings(command, limits));
  };
  for (const double good : {0.0, 0.7, 2.0}) EXPECT_EQ(temperature(good), std::nullopt) << good;
  for (const double bad : {-0.1, 2.1, std::nan(""), std::numeric_limits<double>::infinity()}) {
    EXPECT_EQ(temperature(bad), ErrorCode::invalid) << bad;
  }
  SettingsCommand command;
  EXPECT_FALSE(check_settings(command, limits));
  command.temperature = std::optional<double>();  // back to the default
  command.max_tokens = std::optional(1);
  command.system_prompt = "abc";
  EXPECT_FALSE(check_settings(command, limits));
  command.max_tokens = std::optional(0);
  EXPECT_EQ(code_of(check_settings(command, limits)), ErrorCode::invalid);
  command.system_prompt = "abcd";
  EXPECT_EQ(code_of(check_settings(command, limits)), ErrorCode::too_long);
}

TEST(CommandChecks, ToolsHaveNamesOfTools) {
  using Names = std::vector<std::string>;
  const auto tools = [](std::optional<Names> names) {
    SettingsCommand command;
    command.tools = std::move(names);
    return code_of(check_settings(command, HubLimits()));
  };
  EXPECT_EQ(tools(std::nullopt), std::nullopt);  // back to the default
  EXPECT_EQ(tools(Names{}), std::nullopt);
  EXPECT_EQ(tools(Names{"files_read-all", std::string(64, 'x')}), std::nullopt);
  EXPECT_EQ(tools(Names(1000, "x")), std::nullopt);
  EXPECT_EQ(tools(Names(1001, "x")), ErrorCode::too_long);
  for (const std::string& bad : {std::string(), std::string("a b"), std::string("a\n"), std::string(65, 'x')})
    EXPECT_EQ(tools(Names{"good", bad}), ErrorCode::invalid) << bad;
}

}  // namespace
}  // namespace parley::orchestration::turn
