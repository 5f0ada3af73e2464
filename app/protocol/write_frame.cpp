#include "app/protocol/write_frame.h"

#include <utility>

#include "app/protocol/frame_views.h"
#include "inference/json/json_writer.h"

namespace parley::app::protocol {
namespace {

using inference::json::json_number;
using inference::json::JsonArray;
using inference::json::JsonObject;
using inference::json::JsonValue;
using inference::json::to_json_text;

namespace turn = orchestration::turn;

JsonObject typed(std::string_view type) {
  JsonObject object;
  object["type"] = type;
  return object;
}

JsonObject answer(std::string_view type, const std::string& re) {
  JsonObject object = typed(type);
  object["re"] = text_or_null(re);
  return object;
}

template <typename Items>
JsonArray views_of(const Items& items) {
  JsonArray array;
  array.reserve(items.size());
  for (const auto& item : items) array.push_back(view_of(item));
  return array;
}

JsonObject write(const HelloFrame& frame) {
  JsonObject object = typed("hello");
  object["protocol"] = kProtocolVersion;
  object["server"] = frame.server;
  object["instance"] = frame.instance;
  object["time"] = frame.time;
  JsonObject& limits = object["limits"].emplace_object();
  limits["frame_bytes"] = max_frame_bytes(frame.limits);
  limits["message_bytes"] = frame.limits.max_message_bytes;
  limits["title_bytes"] = frame.limits.max_title_bytes;
  limits["system_prompt_bytes"] = frame.limits.max_system_prompt_bytes;
  JsonObject& defaults = object["defaults"].emplace_object();
  defaults["temperature"] = json_number(frame.temperature);
  defaults["max_tokens"] = frame.max_tokens ? JsonValue(*frame.max_tokens) : JsonValue(nullptr);
  object["model"] = view_of(frame.model);
  return object;
}

JsonObject write(const AckFrame& frame) {
  JsonObject object = answer("ack", frame.re);
  if (!frame.message.empty()) object["message"] = frame.message;
  return object;
}

JsonObject write(const ErrorFrame& frame) {
  JsonObject object = answer("error", frame.re);
  object["code"] = error_code_name(frame.code);
  object["message"] = frame.message;
  return object;
}

JsonObject write(const ConversationsFrame& frame) {
  JsonObject object = answer("conversations", frame.re);
  object["items"] = views_of(frame.items);
  object["more"] = frame.more;
  return object;
}

JsonObject write(const MessagesFrame& frame) {
  JsonObject object = answer("messages", frame.re);
  object["conversation"] = frame.conversation;
  object["items"] = views_of(frame.items);
  object["more"] = frame.more;
  return object;
}

JsonObject write(const ModelsFrame& frame) {
  JsonObject object = answer("models", frame.re);
  object["items"] = views_of(frame.items);
  return object;
}

std::string_view profile_name(turn::ToolProfile profile) {
  switch (profile) {
    case turn::ToolProfile::native:
      return "native";
    case turn::ToolProfile::weak:
      return "weak";
    case turn::ToolProfile::none:
      break;
  }
  return "none";
}

JsonObject write(const ToolsFrame& frame) {
  JsonObject object = answer("tools", frame.re);
  object["items"] = views_of(frame.tools.tools);
  object["counted"] = frame.tools.counted;
  object["profile"] = profile_name(frame.profile);
  object["approvals"] = views_of(frame.approvals);
  object["servers"] = views_of(frame.tools.servers);
  object["problems"] = JsonArray(frame.tools.problems.begin(), frame.tools.problems.end());
  object["file"] = text_or_null(frame.tools.file);
  object["off"] = text_or_null(frame.tools.off);
  return object;
}

JsonObject write(const OutputFrame& frame) {
  JsonObject object = answer("output", frame.re);
  object["offset"] = frame.piece.offset;
  object["text"] = frame.piece.text;
  object["bytes"] = frame.piece.bytes;
  return object;
}

JsonObject write(const AuditFrame& frame) {
  JsonObject object = answer("audit", frame.re);
  object["items"] = views_of(frame.page.entries);
  object["before"] = frame.page.before ? JsonValue(*frame.page.before) : JsonValue(nullptr);
  object["damaged"] = frame.page.damaged_lines;
  return object;
}

JsonObject numbered(std::string_view type, const std::string& conversation, std::uint64_t sequence) {
  JsonObject object = typed(type);
  object["conversation"] = conversation;
  object["seq"] = sequence;
  return object;
}

JsonObject write(const std::string& conversation, const turn::Snapshot& event) {
  JsonObject object = numbered("snapshot", conversation, event.sequence);
  object["summary"] = view_of(event.summary);
  object["messages"] = views_of(event.messages);
  object["more"] = event.more;
  return object;
}

JsonObject write(const std::string& conversation, const turn::MessageAdded& event) {
  JsonObject object = numbered("message_added", conversation, event.sequence);
  object["message"] = view_of(event.message);
  return object;
}

JsonObject write(const std::string& conversation, const turn::MessageChanged& event) {
  JsonObject object = numbered("message_changed", conversation, event.sequence);
  JsonObject message = view_of(event.message);
  message.stable_erase("text");
  object["message"] = std::move(message);
  object["text_bytes"] = event.text_bytes;
  return object;
}

JsonObject write(const std::string& conversation, const turn::CallChanged& event) {
  JsonObject object = numbered("call_changed", conversation, event.sequence);
  object["message"] = event.message;
  object["index"] = event.index;
  object["call"] = view_of(event.call.call);
  object["progress"] = nullptr;
  if (!event.call.progress.message.empty() || event.call.progress.fraction) {
    JsonObject& progress = object["progress"].emplace_object();
    progress["message"] = event.call.progress.message;
    progress["fraction"] =
        event.call.progress.fraction ? JsonValue(*event.call.progress.fraction) : JsonValue();
  }
  return object;
}

JsonObject write(const std::string& conversation, const turn::ArgumentsDelta& event) {
  JsonObject object = typed("arguments");
  object["conversation"] = conversation;
  object["message"] = event.message;
  object["epoch"] = event.epoch;
  object["index"] = event.index;
  object["offset"] = event.offset;
  object["text"] = event.text;
  return object;
}

JsonObject write(const std::string& conversation, const turn::ConversationChanged& event) {
  JsonObject object = numbered("changed", conversation, event.sequence);
  object["summary"] = view_of(event.summary);
  return object;
}

JsonObject write(const std::string& conversation, const turn::TextDelta& event) {
  JsonObject object = typed("delta");
  object["conversation"] = conversation;
  object["message"] = event.message;
  object["epoch"] = event.epoch;
  object["offset"] = event.offset;
  object["text"] = event.text;
  return object;
}

JsonObject write(const std::string& conversation, const turn::CallPreparing& event) {
  JsonObject object = typed("preparing");
  object["conversation"] = conversation;
  object["message"] = event.message;
  object["epoch"] = event.epoch;
  return object;
}

JsonObject write(const ConversationEventFrame& frame) {
  return std::visit([&](const auto& event) { return write(frame.conversation, event); }, frame.event);
}

JsonObject write(const ListedFrame& frame) {
  JsonObject object = typed("listed");
  object["item"] = view_of(frame.item);
  return object;
}

JsonObject write(const ModelFrame& frame) {
  JsonObject object = typed("model");
  object["model"] = view_of(frame.model);
  return object;
}

JsonObject write(const ToolsChangedFrame&) { return typed("tools_changed"); }

}  // namespace

std::string write_frame(const ServerFrame& frame) {
  return to_json_text(std::visit([](const auto& any) { return write(any); }, frame));
}

std::string_view error_code_name(ErrorCode code) {
  switch (code) {
    case ErrorCode::bad_frame:
      return "bad_frame";
    case ErrorCode::unknown_type:
      return "unknown_type";
    case ErrorCode::invalid:
      return "invalid";
    case ErrorCode::not_found:
      return "not_found";
    case ErrorCode::busy:
      return "busy";
    case ErrorCode::too_long:
      return "too_long";
    case ErrorCode::conflict:
      return "conflict";
    case ErrorCode::unavailable:
      return "unavailable";
    case ErrorCode::rate_limited:
      return "rate_limited";
    case ErrorCode::internal:
      break;
  }
  return "internal";
}

}  // namespace parley::app::protocol
