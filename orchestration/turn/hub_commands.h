#pragma once
// What clients ask of the hub, its limits, and how it refuses. Plain values, any thread.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "orchestration/turn/call_control.h"

namespace parley::orchestration::turn {

struct CommandError {
  enum class Code : std::uint8_t {
    not_found,    // conversation or message
    busy,         // the conversation is answering
    invalid,      // a field is out of range; the message names it
    too_long,     // text above the limit
    conflict,     // the id was used for something else
    unavailable,  // shutting down; to continue_answer: why the model does not go on (loading, queue full, …)
  };
  Code code = Code::invalid;
  std::string message;  // what happened and what to do
};

template <typename T>
using CommandResult = std::variant<T, CommandError>;
struct Done {};

struct HubLimits {
  std::size_t max_message_bytes = 1u << 20;
  std::size_t max_title_bytes = 400;
  std::size_t max_system_prompt_bytes = 64u << 10;
};

struct SendCommand {
  std::string id;  // client UUID; becomes the user message's id
  std::string conversation;
  std::string text;
  std::optional<std::string> parent;  // absent: the active leaf; empty: a new root
};

struct SettingsCommand {  // absent fields stay as they are
  std::string id;         // client UUID
  std::string conversation;
  std::optional<std::string> system_prompt;
  std::optional<std::optional<double>> temperature;  // inner absent: back to the default
  std::optional<std::optional<int>> max_tokens;
  // Names of the tools that are switched on; inner absent: as the model's profile says.
  std::optional<std::optional<std::vector<std::string>>> tools;
};

struct DecideCommand {
  std::string id;  // client UUID
  std::string conversation;
  std::string message;  // the answer
  std::string call;
  CallDecision decision = CallDecision::deny;
  std::string definition;  // ToolCall::definition as the user was shown it; empty: the client does not say
};

struct CancelCallCommand {
  std::string id;  // client UUID
  std::string conversation;
  std::string message;
  std::string call;
};

struct AuditRequest {
  std::optional<std::uint64_t>
      before;  // tools::AuditPage::before of the page before; absent: the newest ones
  std::size_t limit = 0;
};

// Whatever was allowed about a tool, in any chat, is asked for again.
struct ForgetApprovalCommand {
  std::string id;  // client UUID
  std::string tool;
};

struct OutputRequest {
  std::string conversation;
  std::string message;
  std::string call;
  std::size_t offset = 0;  // bytes
};

}  // namespace parley::orchestration::turn
