#include "app/api/message_calls.h"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace parley::app::api {
namespace {

using inference::json::JsonArray;
using inference::json::JsonObject;
using orchestration::prompt::MessageCall;
using protocol::FieldReader;

constexpr std::size_t kMaxCalls = 1024;  // of a message

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
  const JsonArray* array = message.optional_array("tool_calls");
  if (array == nullptr) return calls;
  if (array->size() > kMaxCalls) message.refuse("tool_calls", "must hold at most 1024 calls");
  for (std::size_t i = 0; i < array->size() && !message.error(); ++i) {
    const std::string place = "tool_calls[" + std::to_string(i) + "]";
    const JsonObject* object = (*array)[i].if_object();
    if (object == nullptr) {
      message.refuse(place, "must be an object");
      break;
    }
    FieldReader fields(*object, message.path_of(place));
    calls.push_back(read_call(fields));
    message.adopt(fields.error());
  }
  return calls;
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
