#include "orchestration/turn/command_checks.h"

#include <algorithm>
#include <cmath>

#include "inference/tokenizer/utf8.h"
#include "orchestration/tools/tool_name.h"
#include "orchestration/turn/command_errors.h"
#include "orchestration/turn/title.h"
#include "orchestration/turn/uuid.h"

namespace parley::orchestration::turn {
namespace {

using Code = CommandError::Code;

constexpr double kMaxTemperature = 2.0;
constexpr std::size_t kMaxTools = 1000;

// `what` begins a sentence: "The title".
std::optional<CommandError> check_text(const std::string& what, const std::string& text,
                                       std::size_t max_bytes) {
  if (text.size() > max_bytes) {
    return command_error(Code::too_long, what + " has " + std::to_string(text.size()) + " bytes; at most " +
                                             std::to_string(max_bytes) + " are allowed. Shorten it.");
  }
  if (!inference::tokenizer::is_valid_utf8(text))
    return command_error(Code::invalid, what + " is not valid UTF-8.");
  return std::nullopt;
}

std::optional<CommandError> check_id(const std::string& field, const std::string& id) {
  if (is_uuid(id)) return std::nullopt;
  return command_error(Code::invalid, "The field '" + field + "' must be a UUID in lower case.");
}

// Names of tools that are not there are fine: their server may be down just now.
std::optional<CommandError> check_tools(const std::vector<std::string>& names) {
  if (names.size() > kMaxTools) {
    return command_error(Code::too_long, "At most " + std::to_string(kMaxTools) +
                                             " tools can be switched on in a chat. Leave some out.");
  }
  if (std::all_of(names.begin(), names.end(), tools::is_tool_name)) return std::nullopt;
  return command_error(Code::invalid, "The field 'tools' must hold names of tools only.");
}

}  // namespace

std::optional<CommandError> check_create(const std::string& id, const std::string& title,
                                         const HubLimits& limits) {
  if (auto error = check_id("conversation", id)) return error;
  return check_text("The title", title, limits.max_title_bytes);
}

std::optional<CommandError> check_title(const std::string& title, const HubLimits& limits) {
  if (auto error = check_text("The title", title, limits.max_title_bytes)) return error;
  if (has_text(title)) return std::nullopt;
  return command_error(Code::invalid, "The title is empty. Give the conversation a name.");
}

std::optional<CommandError> check_send(const SendCommand& command, const HubLimits& limits) {
  if (auto error = check_command_id(command.id)) return error;
  if (auto error = check_text("The message", command.text, limits.max_message_bytes)) return error;
  if (has_text(command.text)) return std::nullopt;
  return command_error(Code::invalid, "The message is empty. Write something first.");
}

std::optional<CommandError> check_settings(const SettingsCommand& command, const HubLimits& limits) {
  if (command.system_prompt) {
    auto error = check_text("The system prompt", *command.system_prompt, limits.max_system_prompt_bytes);
    if (error) return error;
  }
  if (command.temperature && *command.temperature) {
    const double temperature = **command.temperature;
    if (!std::isfinite(temperature) || temperature < 0 || temperature > kMaxTemperature) {
      return command_error(Code::invalid, "The temperature must be a number from 0 to 2.");
    }
  }
  if (command.max_tokens && *command.max_tokens && **command.max_tokens < 1) {
    return command_error(Code::invalid, "The answer's limit (max_tokens) must be at least 1.");
  }
  if (command.tools && *command.tools) return check_tools(**command.tools);
  return std::nullopt;
}

std::optional<CommandError> check_command_id(const std::string& id) { return check_id("id", id); }

}  // namespace parley::orchestration::turn
