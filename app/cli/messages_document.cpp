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

ChatMessage parse_message(const JsonValue& item, const std::string& place) {
  const std::string role =
      required_text(item, "role", place, "say whose message it is: system, user or assistant");
  ChatMessage message;
  message.text = required_text(item, "content", place, "give the message's text");
  if (role == "system" || role == "developer") {
    message.role = Role::system;
  } else if (role == "user") {
    message.role = Role::user;
  } else if (role == "assistant") {
    message.role = Role::assistant;
  } else {
    throw std::runtime_error(place + ": role \"" + role + "\" is none of system, user, assistant");
  }
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
