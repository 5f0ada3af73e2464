#include "app/api/chat_messages.h"

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

#include "app/api/message_calls.h"

namespace parley::app::api {
namespace {

using inference::json::JsonArray;
using inference::json::JsonValue;
using orchestration::prompt::ChatMessage;
using orchestration::prompt::Role;
using protocol::FieldReader;

constexpr std::size_t kMaxMessages = 10'000;

Role read_role(FieldReader& message) {
  const std::string role = message.text("role");
  if (role == "user") return Role::user;
  if (role == "assistant") return Role::assistant;
  if (role == "system" || role == "developer") return Role::system;
  if (role == "tool") return Role::tool;
  if (role == "function") {
    message.refuse("role", "is of the older form of tools: send role \"tool\" with tool_call_id");
  } else {
    message.refuse("role", "must be system, developer, user, assistant or tool");
  }
  return Role::user;
}

std::string read_part(FieldReader& part, Role role) {
  const std::string type = part.text("type");
  if (type == "refusal" && role == Role::assistant) return part.text("refusal");
  if (type != "text" && !part.error())
    part.refuse("type", "must be \"text\": this model reads text only, no images, sounds or files");
  return part.text("text");
}

std::string join_parts(FieldReader& message, const JsonArray& parts, Role role) {
  std::string text;
  message.each_object("content", parts, [&](FieldReader& part) { text += read_part(part, role); });
  return text;
}

std::string read_content(FieldReader& fields, Role role) {
  const JsonValue* content = fields.find("content");
  if (content != nullptr && content->is_array()) return join_parts(fields, content->get_array(), role);
  return fields.text("content");
}

// Without content when there is something else: calls, reasoning, a refusal.
void read_assistant(FieldReader& fields, ChatMessage& message) {
  if (fields.find("function_call") != nullptr)
    fields.refuse("function_call", "is of the older form of tools: send tool_calls");
  message.calls = read_message_calls(fields);
  message.reasoning = fields.optional_text("reasoning_content").value_or("");
  const std::string refusal = fields.optional_text("refusal").value_or("");
  const bool needs_content = message.calls.empty() && message.reasoning.empty() && refusal.empty();
  if (needs_content || fields.find("content") != nullptr) message.text = read_content(fields, message.role);
  if (message.text.empty()) message.text = refusal;
}

void read_result(FieldReader& fields, OpenCalls& calls, ChatMessage& message) {
  message.text = read_content(fields, message.role);
  message.call_id = fields.text("tool_call_id");
  if (fields.error()) return;
  auto name = calls.answer(message.call_id);
  if (!name) {
    fields.refuse("tool_call_id",
                  "answers no open call of the assistant's message before it: send that message with its "
                  "tool_calls, and behind it one result for each");
  } else {
    message.tool_name = std::move(*name);
  }
}

ChatMessage read_message(FieldReader& fields, OpenCalls& calls) {
  ChatMessage message;
  message.role = read_role(fields);
  if (message.role == Role::tool) {
    read_result(fields, calls, message);
    return message;
  }
  if (message.role == Role::assistant) {
    read_assistant(fields, message);
  } else {
    message.text = read_content(fields, message.role);
  }
  calls.begin(message.calls);
  return message;
}

}  // namespace

std::vector<ChatMessage> read_chat_messages(FieldReader& fields) {
  std::vector<ChatMessage> messages;
  const JsonArray* array = fields.optional_array("messages");
  if (array == nullptr || array->empty()) {
    fields.refuse("messages", "must be an array with at least one message");
    return messages;
  }
  if (array->size() > kMaxMessages) {
    fields.refuse("messages", "must hold at most 10000 messages");
    return messages;
  }
  OpenCalls calls;
  messages.reserve(array->size());
  fields.each_object("messages", *array, [&](FieldReader& message) {
    ChatMessage read = read_message(message, calls);
    if (read.role == Role::assistant) {
      for (ChatMessage& ran : read_ran_calls(message)) messages.push_back(std::move(ran));
    }
    messages.push_back(std::move(read));
  });
  return messages;
}

}  // namespace parley::app::api
