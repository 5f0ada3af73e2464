#pragma once
// One message as the prompt sees it. Plain data, any thread.

#include <cstdint>
#include <string>
#include <vector>

namespace parley::orchestration::prompt {

enum class Role : std::uint8_t { system, user, assistant, tool };

// A tool call that an assistant message made.
struct MessageCall {
  std::string id;  // empty: the template's rule makes one
  std::string name;
  std::string arguments;  // JSON text of an object, as the model wrote it; may be malformed
};

struct ChatMessage {
  Role role = Role::user;
  std::string text;  // of an answer with calls: its prose
  // All ids the model generated for this answer, markup of calls and reasoning included; empty if unknown.
  // Used in place of re-tokenising, because re-tokenised text can differ and lose the cached prefix.
  std::vector<std::int32_t> token_ids = {};
  std::string reasoning = {};           // of an assistant; empty: none
  std::vector<MessageCall> calls = {};  // of an assistant
  std::string call_id = {};             // of a tool: the call that this is the result of
  std::string tool_name = {};           // of a tool
};

// A tool as the model is told of it.
struct ToolDescription {
  std::string name;
  std::string description;
  std::string parameters_json;  // JSON Schema, an object
};

}  // namespace parley::orchestration::prompt
