#include "app/cli/messages_document.h"

#include <stdexcept>
#include <utility>

#include "inference/json/json.h"
#include "inference/json/json_writer.h"

namespace parley::app::cli {
namespace {

using inference::json::JsonObject;
using inference::json::JsonValue;
using orchestration::prompt::ChatMessage;
using orchestration::prompt::MessageCall;
using orchestration::prompt::Role;

constexpr std::size_t kMaxDepth = 128;  // tools hold schemas

std::string required_text(const JsonValue& item, const char* name, const std::string& place,
                          const char* expected) {
  const JsonObject* object = item.if_object();
  const JsonValue* field = object == nullptr ? nullptr : object->if_contains(name);
  if (field == nullptr || !field->is_string()) {
    throw std::runtime_error(place + ": \"" + name + "\" is missing or not a string; " + expected);
  }
  return std::string(field->get_string());
}

std::string optional_text(const JsonValue& item, const char* name, const std::string& place) {
  const JsonValue* field = item.get_object().if_contains(name);
  if (field == nullptr || field->is_null()) return {};
  if (!field->is_string()) throw std::runtime_error(place + ": \"" + name + "\" is not a string");
  return std::string(field->get_string());
}

// {"id", "type": "function", "function": {"name", "arguments"}}; arguments as text, or as the object itself.
MessageCall parse_call(const JsonValue& item, const std::string& place) {
  const JsonObject* object = item.if_object();
  const JsonValue* function = object == nullptr ? nullptr : object->if_contains("function");
  if (function == nullptr || !function->is_object()) {
    throw std::runtime_error(place + R"(: give it as {"id", "function": {"name", "arguments"}})");
  }
  MessageCall call;
  call.id = optional_text(item, "id", place);
  call.name = required_text(*function, "name", place, "name the tool");
  const JsonValue* arguments = function->get_object().if_contains("arguments");
  if (arguments != nullptr && arguments->is_string()) {
    call.arguments = std::string(arguments->get_string());
  } else if (arguments != nullptr && !arguments->is_null()) {
    call.arguments = inference::json::to_json_text(*arguments);
  }
  return call;
}

void parse_answer(const JsonValue& item, const std::string& place, ChatMessage& message) {
  message.role = Role::assistant;
  message.reasoning = optional_text(item, "reasoning_content", place);
  const JsonValue* calls = item.get_object().if_contains("tool_calls");
  if (calls == nullptr || calls->is_null()) return;
  if (!calls->is_array()) throw std::runtime_error(place + ": \"tool_calls\" must be a list");
  for (const JsonValue& call : calls->get_array()) {
    message.calls.push_back(
        parse_call(call, place + ", tool call " + std::to_string(message.calls.size() + 1)));
  }
}

ChatMessage parse_message(const JsonValue& item, const std::string& place) {
  const std::string role =
      required_text(item, "role", place, "say whose message it is: system, user, assistant or tool");
  ChatMessage message;
  if (role == "system" || role == "developer") {
    message.role = Role::system;
  } else if (role == "assistant") {
    parse_answer(item, place, message);
  } else if (role == "tool") {
    message.role = Role::tool;
    message.call_id = optional_text(item, "tool_call_id", place);
    message.tool_name = optional_text(item, "name", place);
  } else if (role != "user") {
    throw std::runtime_error(place + ": role \"" + role + "\" is none of system, user, assistant, tool");
  }
  message.text = message.calls.empty() ? required_text(item, "content", place, "give the message's text")
                                       : optional_text(item, "content", place);
  return message;
}

JsonValue parse(const std::string& json, const std::string& source) {
  auto parsed = inference::json::parse_json(json, {.max_bytes = json.size(), .max_depth = kMaxDepth});
  if (const auto* error = std::get_if<inference::json::JsonError>(&parsed)) {
    const std::string where = error->key.empty() ? "" : " It is in \"" + error->key + "\".";
    throw std::runtime_error(source + " cannot be read: " + error->message + where);
  }
  return std::get<JsonValue>(std::move(parsed));
}

}  // namespace

MessagesDocument parse_messages(const std::string& json, const std::string& source) {
  const JsonValue root = parse(json, source);
  const JsonObject* object = root.if_object();
  const JsonValue* messages = object == nullptr ? &root : object->if_contains("messages");
  if (messages == nullptr || !messages->is_array()) {
    throw std::runtime_error(source + ": expected {\"messages\": […]} or a list of messages");
  }
  MessagesDocument document;
  for (const JsonValue& item : messages->get_array()) {
    const std::string place = source + ": message " + std::to_string(document.messages.size() + 1);
    document.messages.push_back(parse_message(item, place));
  }
  const JsonValue* tools = object == nullptr ? nullptr : object->if_contains("tools");
  if (tools != nullptr && !tools->is_null()) {
    if (!tools->is_array())
      throw std::runtime_error(source + ": \"tools\" must be a list of tools; leave it out for none");
    document.tools_json = inference::json::to_json_text(*tools);
  }
  return document;
}

}  // namespace parley::app::cli
