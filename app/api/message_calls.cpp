#include "app/api/message_calls.h"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <utility>

namespace parley::app::api {
namespace {

using inference::json::JsonArray;
using inference::json::JsonObject;
using orchestration::prompt::ChatMessage;
using orchestration::prompt::MessageCall;
using orchestration::prompt::Role;
using protocol::FieldReader;

constexpr std::size_t kMaxCalls = 1024;  // of a message

void for_each_call(FieldReader& fields, std::string_view name,
                   const std::function<void(FieldReader&)>& read) {
  const JsonArray* array = fields.optional_array(name);
  if (array == nullptr) return;
  if (array->size() > kMaxCalls) return fields.refuse(name, "must hold at most 1024 calls");
  fields.each_object(name, *array, read);
}

MessageCall read_call(FieldReader& fields) {
  MessageCall call;
  call.id = fields.text("id");
  if (!fields.error() && call.id.empty()) fields.refuse("id", "must not be empty");
  if (fields.optional_text("type").value_or("function") != "function")
    fields.refuse("type", "must be \"function\": this server knows no other kind of call");
  const JsonObject* object = fields.optional_object("function");
  if (object == nullptr) {
    fields.refuse("function", "is missing: {\"name\": …, \"arguments\": …}");
    return call;
  }
  FieldReader function(*object, fields.path_of("function"));
  call.name = function.text("name");
  call.arguments = function.text("arguments");
  fields.adopt(function.error());
  return call;
}

}  // namespace

std::vector<MessageCall> read_message_calls(FieldReader& message) {
  std::vector<MessageCall> calls;
  for_each_call(message, "tool_calls", [&](FieldReader& fields) { calls.push_back(read_call(fields)); });
  return calls;
}

std::vector<ChatMessage> read_ran_calls(FieldReader& message) {
  std::vector<ChatMessage> messages;
  const JsonObject* object = message.optional_object("parley");
  if (object == nullptr) return messages;
  FieldReader parley(*object, message.path_of("parley"));
  ChatMessage caller;
  caller.role = Role::assistant;
  for_each_call(parley, "calls", [&](FieldReader& fields) {
    ChatMessage result;
    result.role = Role::tool;
    result.call_id = fields.text("call");
    result.tool_name = fields.text("name");
    result.text = fields.text("result");
    caller.calls.push_back({result.call_id, result.tool_name, fields.text("arguments")});
    messages.push_back(std::move(result));
  });
  message.adopt(parley.error());
  if (!messages.empty()) messages.insert(messages.begin(), std::move(caller));
  return messages;
}

std::optional<std::string> OpenCalls::answer(std::string_view id) {
  const auto found =
      std::find_if(calls_.begin(), calls_.end(), [&](const auto& call) { return call.id == id; });
  if (found == calls_.end()) return std::nullopt;
  std::string name = std::move(found->name);
  calls_.erase(found);
  return name;
}

}  // namespace parley::app::api
