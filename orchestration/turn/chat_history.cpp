#include "orchestration/turn/chat_history.h"

#include <algorithm>
#include <utility>

#include "orchestration/turn/call_work.h"

namespace parley::orchestration::turn {
namespace {

using prompt::ChatMessage;
using prompt::Role;

// What the model is told of a call that never got as far as a result.
std::string result_of(const sessions::ToolCall& call) {
  if (!call.result.empty()) return call.result;
  const bool may_have_run = call.state == sessions::CallState::interrupted;
  return may_have_run ? std::string(kMayHaveRun) : "This call was not run.";
}

void take_reasoning_apart(ChatMessage& answer) {
  if (!answer.text.starts_with(kReasoningOpen)) return;
  const std::size_t close = std::min(answer.text.find(kReasoningClose), answer.text.size());
  answer.reasoning = answer.text.substr(kReasoningOpen.size(), close - kReasoningOpen.size());
  answer.text.erase(0, close + kReasoningClose.size());
}

enum class PathPlace : bool { earlier, last };

void append(std::vector<ChatMessage>& history, const sessions::Message& message, PathPlace place) {
  ChatMessage next;
  next.role = message.role;
  next.text = message.text;
  next.token_ids = message.token_ids;
  if (message.role == Role::assistant) take_reasoning_apart(next);
  const bool is_only_reasoning = next.text.empty() && message.calls.empty();
  if (is_only_reasoning && place == PathPlace::earlier) return;
  for (const sessions::ToolCall& call : message.calls) {
    next.calls.push_back({call.id, call.name, call.arguments});
  }
  history.push_back(std::move(next));
  for (const sessions::ToolCall& call : message.calls) {
    ChatMessage result;
    result.role = Role::tool;
    result.text = result_of(call);
    result.call_id = call.id;
    result.tool_name = call.name;
    history.push_back(std::move(result));
  }
}

}  // namespace

std::vector<ChatMessage> chat_history(const sessions::ChatSettings& settings,
                                      const std::vector<sessions::Message>& path) {
  std::vector<ChatMessage> history;
  if (!settings.system_prompt.empty()) {
    ChatMessage system;
    system.role = Role::system;
    system.text = settings.system_prompt;
    history.push_back(std::move(system));
  }
  for (const sessions::Message& message : path) {
    const PathPlace place = &message == &path.back() ? PathPlace::last : PathPlace::earlier;
    if (!message.text.empty() || !message.calls.empty()) append(history, message, place);
  }
  return history;
}

bool ends_in_reasoning(const sessions::Message& answer) {
  return answer.role == Role::assistant && answer.calls.empty() && answer.text.starts_with(kReasoningOpen) &&
         answer.text.find(kReasoningClose) == std::string::npos;
}

int left_out_before(const std::vector<sessions::Message>& path) {
  const auto newest = std::find_if(path.rbegin(), path.rend(), [](const sessions::Message& message) {
    return message.role == Role::assistant;
  });
  return newest == path.rend() ? 0 : newest->left_out_turns;
}

}  // namespace parley::orchestration::turn
