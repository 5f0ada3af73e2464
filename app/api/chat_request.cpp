#include "app/api/chat_request.h"

#include <utility>

#include "app/api/json_body.h"
#include "app/api/output_format_fields.h"

namespace parley::app::api {
namespace {

using inference::json::JsonArray;
using inference::json::JsonObject;
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
  if (role == "tool" || role == "function") {
    message.refuse("role", "is a tool's: tools are not supported yet");
  } else {
    message.refuse("role", "must be system, developer, user or assistant");
  }
  return Role::user;
}

std::string join_parts(FieldReader& message, const JsonArray& parts) {
  std::string text;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const std::string name = "content[" + std::to_string(i) + "]";
    const JsonObject* part = parts[i].if_object();
    if (part == nullptr) {
      message.refuse(name, "must be an object");
      break;
    }
    FieldReader fields(*part, message.path_of(name));
    const std::string type = fields.text("type");
    if (type != "text" && !fields.error()) {
      fields.refuse("type", "must be \"text\": this model reads text only, no images, sounds or files");
    }
    text += fields.text("text");
    message.adopt(fields.error());
    if (message.error()) break;
  }
  return text;
}

ChatMessage read_message(FieldReader& message, const JsonObject& object) {
  ChatMessage result;
  result.role = read_role(message);
  const JsonValue* calls = object.if_contains("tool_calls");
  if (calls != nullptr && !calls->is_null() && !(calls->is_array() && calls->get_array().empty())) {
    message.refuse("tool_calls", "is not supported yet: leave it out");
  }
  const JsonValue* content = object.if_contains("content");
  if (content != nullptr && content->is_array()) {
    result.text = join_parts(message, content->get_array());
  } else {
    result.text = message.text("content");
  }
  return result;
}

void read_messages(FieldReader& fields, std::vector<ChatMessage>& messages) {
  const JsonArray* array = fields.optional_array("messages");
  if (array == nullptr || array->empty())
    return fields.refuse("messages", "must be an array with at least one message");
  if (array->size() > kMaxMessages) return fields.refuse("messages", "must hold at most 10000 messages");
  messages.reserve(array->size());
  for (std::size_t i = 0; i < array->size() && !fields.error(); ++i) {
    const std::string name = "messages[" + std::to_string(i) + "]";
    const JsonObject* object = (*array)[i].if_object();
    if (object == nullptr) return fields.refuse(name, "must be an object");
    FieldReader message(*object, name);
    messages.push_back(read_message(message, *object));
    fields.adopt(message.error());
  }
}

void read_logprobs(FieldReader& fields, int& num_logprobs) {
  const bool wanted = fields.optional_flag("logprobs").value_or(false);
  const auto top = fields.optional_integer("top_logprobs", {.min = 0, .max = kMaxLogprobs});
  if (top && *top > 0 && !wanted)
    return fields.refuse("top_logprobs", "is for requests with \"logprobs\": true");
  num_logprobs = wanted ? static_cast<int>(top.value_or(0)) : -1;
}

}  // namespace

std::variant<ChatApiRequest, ApiError> parse_chat_request(
    std::string_view body, const orchestration::turn::GenerationOptions& defaults) {
  auto parsed = parse_body(body);
  if (auto* error = std::get_if<ApiError>(&parsed)) return std::move(*error);
  const auto& object = std::get<JsonObject>(parsed);
  FieldReader fields(object);
  ChatApiRequest request;
  read_messages(fields, request.chat.messages);
  request.generation = read_generation_fields(fields, object, defaults);
  request.chat.format = read_output_format(fields);
  read_logprobs(fields, request.generation.options.num_logprobs);
  // An extension: go on with the last message instead of answering it.
  request.chat.continue_last = fields.optional_flag("continue_final_message").value_or(false);
  if (request.chat.continue_last && !request.chat.messages.empty() &&
      request.chat.messages.back().role != Role::assistant) {
    fields.refuse("continue_final_message", "needs a last message of the assistant");
  }
  if (request.chat.continue_last &&
      request.chat.format.kind != orchestration::turn::OutputFormat::Kind::free) {
    fields.refuse("continue_final_message",
                  "cannot be asked for together with a response_format or guided_regex");
  }
  if (fields.error()) return invalid_field(*fields.error());
  request.chat.options = request.generation.options;
  return request;
}

}  // namespace parley::app::api
