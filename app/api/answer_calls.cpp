#include "app/api/answer_calls.h"

#include <string_view>
#include <utility>
#include <variant>

#include "orchestration/calls/call_ids.h"

namespace parley::app::api {
namespace {

using inference::json::JsonArray;
using inference::json::JsonObject;

namespace calls = orchestration::calls;

JsonObject function_part(std::string_view arguments) {
  JsonObject function;
  function["arguments"] = arguments;
  return function;
}

JsonObject call_object(const std::string& id, const std::string& name, std::string_view arguments) {
  JsonObject function;
  function["name"] = name;
  function["arguments"] = arguments;
  JsonObject object;
  object["id"] = id;
  object["type"] = "function";
  object["function"] = std::move(function);
  return object;
}

}  // namespace

KnownCalls known_calls(const std::vector<orchestration::prompt::ChatMessage>& messages) {
  KnownCalls known;
  for (const auto& message : messages) {
    known.count += message.calls.size();
    for (const auto& call : message.calls) known.ids.insert(call.id);
  }
  return known;
}

std::optional<JsonObject> AnswerCalls::take(const calls::CallEvent& event) {
  if (const auto* call = std::get_if<calls::CallBegin>(&event)) return begin(*call);
  if (const auto* part = std::get_if<calls::ArgumentsDelta>(&event)) return grow(part->index, part->json);
  if (const auto* call = std::get_if<calls::CallEnd>(&event)) return end(*call);
  return std::nullopt;
}

std::optional<JsonObject> AnswerCalls::begin(const calls::CallBegin& event) {
  if (event.name.empty()) return std::nullopt;
  positions_[event.index] = calls_.size();
  Call& call = calls_.emplace_back();
  call.name = event.name;
  name_id(call, event.id);
  JsonObject object;
  object["index"] = calls_.size() - 1;
  for (auto& field : call_object(call.id, call.name, "")) object[field.key()] = std::move(field.value());
  return object;
}

std::optional<JsonObject> AnswerCalls::grow(int index, const std::string& text) {
  const auto position = positions_.find(index);
  if (position == positions_.end() || text.empty()) return std::nullopt;
  calls_[position->second].arguments += text;
  JsonObject object;
  object["index"] = position->second;
  object["function"] = function_part(text);
  return object;
}

std::optional<JsonObject> AnswerCalls::end(const calls::CallEnd& event) {
  const auto position = positions_.find(event.index);
  if (position == positions_.end()) return std::nullopt;
  Call& call = calls_[position->second];
  // Too late for a stream, which has told the other one.
  if (call.id_is_ours && !event.id.empty()) name_id(call, event.id);
  if (!event.error.empty() || !call.arguments.empty()) return std::nullopt;
  return grow(event.index, "{}");  // of a tool without parameters
}

// An id that another call of this answer has would make their results one.
void AnswerCalls::name_id(Call& call, const std::string& written) {
  own_ids_.erase(call.id);
  call.id_is_ours = written.empty() || own_ids_.contains(written);
  if (!call.id_is_ours) {
    call.id = written;
  } else {
    do {
      call.id = calls::make_call_id(calls::IdRule::free, call.name, known_.count++);
    } while (known_.ids.contains(call.id) || own_ids_.contains(call.id));
  }
  own_ids_.insert(call.id);
}

JsonArray AnswerCalls::whole() const {
  JsonArray array;
  for (const Call& call : calls_) array.push_back(call_object(call.id, call.name, call.arguments));
  return array;
}

std::string client_finish_reason(const std::string& stop_reason, const AnswerCalls& calls) {
  return stop_reason == "tool_calls" && calls.empty() ? "stop" : stop_reason;
}

}  // namespace parley::app::api
