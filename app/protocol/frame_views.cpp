#include "app/protocol/frame_views.h"

#include <chrono>
#include <string_view>

namespace parley::app::protocol {
namespace {

using inference::json::JsonArray;
using inference::json::JsonObject;
using inference::json::JsonValue;

namespace sessions = orchestration::sessions;
namespace turn = orchestration::turn;

std::string_view state_name(turn::ModelSlot::State state) {
  switch (state) {
    case turn::ModelSlot::State::loading:
      return "loading";
    case turn::ModelSlot::State::ready:
      return "ready";
    case turn::ModelSlot::State::failed:
      break;
  }
  return "failed";
}

std::string_view status_name(sessions::MessageStatus status) {
  switch (status) {
    case sessions::MessageStatus::complete:
      return "complete";
    case sessions::MessageStatus::streaming:
      return "streaming";
    case sessions::MessageStatus::stopped:
      return "stopped";
    case sessions::MessageStatus::interrupted:
      return "interrupted";
    case sessions::MessageStatus::failed:
      break;
  }
  return "failed";
}

std::string_view state_name(sessions::CallState state) {
  switch (state) {
    case sessions::CallState::writing:
      return "writing";
    case sessions::CallState::awaiting_approval:
      return "awaiting_approval";
    case sessions::CallState::running:
      return "running";
    case sessions::CallState::done:
      return "done";
    case sessions::CallState::failed:
      return "failed";
    case sessions::CallState::denied:
      return "denied";
    case sessions::CallState::cancelled:
      return "cancelled";
    case sessions::CallState::interrupted:
      break;
  }
  return "interrupted";
}

std::string_view policy_name(orchestration::tools::Decision policy) {
  switch (policy) {
    case orchestration::tools::Decision::automatic:
      return "auto";
    case orchestration::tools::Decision::ask:
      return "ask";
    case orchestration::tools::Decision::deny:
      break;
  }
  return "deny";
}

std::string_view state_name(turn::ToolServer::State state) {
  switch (state) {
    case turn::ToolServer::State::starting:
      return "starting";
    case turn::ToolServer::State::ready:
      return "ready";
    case turn::ToolServer::State::failed:
      return "failed";
    case turn::ToolServer::State::restarting:
      return "restarting";
    case turn::ToolServer::State::off:
      break;
  }
  return "off";
}

JsonValue preview_of(const orchestration::calls::CallPreview& preview) {
  if (preview.kind.empty()) return nullptr;
  JsonObject object;
  object["kind"] = preview.kind;
  object["words"] = JsonArray(preview.words.begin(), preview.words.end());
  object["input"] = preview.input;
  return object;
}

JsonArray calls_of(const sessions::Message& message) {
  JsonArray array;
  for (const sessions::ToolCall& call : message.calls) array.push_back(view_of(call));
  return array;
}

JsonValue usage_of(const sessions::Message& message) {
  if (message.usage.prompt_tokens == 0) return nullptr;
  JsonObject usage;
  usage["prompt_tokens"] = message.usage.prompt_tokens;
  usage["cached_tokens"] = message.usage.cached_tokens;
  usage["completion_tokens"] = message.usage.completion_tokens;
  return usage;
}

JsonValue timings_of(const sessions::Message& message) {
  if (message.timings.total_ms <= 0) return nullptr;
  JsonObject timings;
  timings["first_token_ms"] = message.timings.first_token_ms;
  timings["total_ms"] = message.timings.total_ms;
  timings["tokens_per_second"] = message.timings.tokens_per_second;
  timings["reasoning_ms"] = message.timings.reasoning_ms;
  return timings;
}

}  // namespace

JsonValue text_or_null(const std::string& text) {
  return text.empty() ? JsonValue(nullptr) : JsonValue(text);
}

JsonObject view_of(const ModelView& model) {
  JsonObject object;
  object["name"] = model.info.name;
  object["state"] = state_name(model.state);
  object["progress"] = model.progress;
  object["error"] = text_or_null(model.error);
  object["architecture"] = model.info.architecture;
  object["quantisation"] = model.info.quantisation;
  object["file_bytes"] = model.info.file_bytes;
  object["max_context"] = model.info.max_context;
  return object;
}

JsonObject view_of(const turn::ConversationSummary& summary) {
  const sessions::Conversation& conversation = summary.conversation;
  JsonObject object;
  object["conversation"] = conversation.id;
  object["title"] = conversation.title;
  JsonObject& settings = object["settings"].emplace_object();
  settings["system_prompt"] = conversation.settings.system_prompt;
  settings["temperature"] = nullptr;
  if (conversation.settings.temperature) settings["temperature"] = *conversation.settings.temperature;
  settings["max_tokens"] = nullptr;
  if (conversation.settings.max_tokens) settings["max_tokens"] = *conversation.settings.max_tokens;
  settings["tools"] = nullptr;
  if (const auto& tools = conversation.settings.tools)
    settings["tools"] = JsonArray(tools->begin(), tools->end());
  object["created_at"] = conversation.created_at;
  object["updated_at"] = conversation.updated_at;
  object["deleted"] = conversation.deleted;
  object["answering"] = summary.answering;
  return object;
}

JsonObject view_of(const sessions::Message& message) {
  JsonObject object;
  object["message"] = message.id;
  object["parent"] = text_or_null(message.parent);
  object["role"] = message.role == sessions::Role::user ? "user" : "assistant";
  object["text"] = message.text;
  object["calls"] = calls_of(message);
  object["status"] = status_name(message.status);
  object["error"] = text_or_null(message.error);
  object["stop_reason"] = text_or_null(message.stop_reason);
  object["model"] = message.model;
  object["epoch"] = message.epoch;
  object["created_at"] = message.created_at;
  object["usage"] = usage_of(message);
  object["timings"] = timings_of(message);
  object["left_out_turns"] = message.left_out_turns;
  return object;
}

JsonObject view_of(const sessions::ToolCall& call) {
  JsonObject object;
  object["call"] = call.id;
  object["name"] = call.name;
  object["source"] = call.source;
  object["state"] = state_name(call.state);
  object["arguments"] = call.arguments;
  object["preview"] = preview_of(call.preview);
  object["definition"] = text_or_null(call.definition);
  object["result"] = call.result;
  object["output_bytes"] = call.output_bytes;
  JsonArray& images = object["images"].emplace_array();
  for (const auto& image : call.images) images.push_back(JsonValue(image.media_type));
  object["decision"] = text_or_null(call.decision);
  object["elapsed_ms"] = call.elapsed_ms;
  object["started_at"] = nullptr;
  if (call.started_at > 0) object["started_at"] = call.started_at;
  return object;
}

JsonObject view_of(const turn::OfferedTool& tool) {
  JsonObject object;
  object["name"] = tool.name;
  object["description"] = tool.description;
  object["source"] = tool.source;
  object["policy"] = policy_name(tool.policy);
  object["tokens"] = tool.tokens;
  object["chosen"] = tool.chosen;
  return object;
}

JsonObject view_of(const turn::ToolServer& server) {
  JsonObject object;
  object["name"] = server.name;
  object["state"] = state_name(server.state);
  object["error"] = text_or_null(server.error);
  object["tools"] = server.tools;
  object["log"] = JsonArray(server.log.begin(), server.log.end());
  return object;
}

JsonObject view_of(const orchestration::tools::AuditEntry& entry) {
  const orchestration::tools::AuditRecord& record = entry.record;
  JsonObject object;
  object["at"] = entry.at;
  object["time"] =
      std::chrono::duration_cast<std::chrono::milliseconds>(record.time.time_since_epoch()).count();
  object["conversation"] = text_or_null(record.chat);
  object["tool"] = record.tool;
  object["source"] = record.source;
  object["decision"] = record.decision;
  object["end"] = record.end;
  object["elapsed_ms"] = record.duration.count();
  return object;
}

JsonObject view_of(const turn::ToolApproval& approval) {
  JsonObject object;
  object["tool"] = approval.tool;
  object["source"] = approval.source;
  object["conversation"] = text_or_null(approval.chat);
  object["since"] = nullptr;
  if (approval.since) object["since"] = *approval.since;
  object["holds"] = approval.holds;
  return object;
}

}  // namespace parley::app::protocol
