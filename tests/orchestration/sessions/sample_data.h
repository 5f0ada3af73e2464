#pragma once
// Conversations and messages for the tests of the store.

#include <string>

#include "orchestration/sessions/session_store.h"

namespace parley::orchestration::sessions {

inline Conversation sample_conversation(const std::string& id, UnixMillis at = 1000) {
  Conversation conversation;
  conversation.id = id;
  conversation.created_at = at;
  conversation.updated_at = at;
  return conversation;
}

inline Message sample_message(const std::string& id, const std::string& parent, Role role,
                              const std::string& text, UnixMillis at = 2000) {
  Message message;
  message.id = id;
  message.parent = parent;
  message.role = role;
  message.text = text;
  message.created_at = at;
  return message;
}

inline Message sample_question(const std::string& id, const std::string& parent,
                               const std::string& text = "?") {
  return sample_message(id, parent, Role::user, text);
}

inline Message sample_answer(const std::string& id, const std::string& parent) {
  Message answer = sample_message(id, parent, Role::assistant, "");
  answer.status = MessageStatus::streaming;
  return answer;
}

inline ToolCall sample_call(const std::string& id, CallState state = CallState::done) {
  ToolCall call;
  call.id = id;
  call.name = "tool";
  call.arguments = "{}";
  call.state = state;
  return call;
}

inline AppliedCommand sample_command(const std::string& id, UnixMillis at = 3000) {
  AppliedCommand command;
  command.id = id;
  command.content_hash = 1;
  command.applied_at = at;
  return command;
}

}  // namespace parley::orchestration::sessions
