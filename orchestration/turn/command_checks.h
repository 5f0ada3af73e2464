#pragma once
// What can be said about a command without looking at its conversation. Pure functions, any thread, never
// throw. None: the command is fine.

#include <optional>
#include <string>

#include "orchestration/turn/hub_commands.h"

namespace parley::orchestration::turn {

std::optional<CommandError> check_create(const std::string& id, const std::string& title,
                                         const HubLimits& limits);
std::optional<CommandError> check_title(const std::string& title, const HubLimits& limits);
std::optional<CommandError> check_send(const SendCommand& command, const HubLimits& limits);
std::optional<CommandError> check_settings(const SettingsCommand& command, const HubLimits& limits);
std::optional<CommandError> check_command_id(const std::string& id);

}  // namespace parley::orchestration::turn
