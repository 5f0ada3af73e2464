#include "orchestration/prompt/call_group.h"

#include <algorithm>

namespace parley::orchestration::prompt {
namespace {

bool takes(const CallGroup& group, std::size_t call, const ChatMessage& result) {
  return !group.results[call] && group.calls[call].id == result.call_id;
}

}  // namespace

CallGroup find_call_group(const std::vector<ChatMessage>& messages, std::size_t answer) {
  CallGroup group;
  group.answer = answer;
  group.calls = messages[answer].calls;
  group.results.resize(group.calls.size());
  group.end = answer + 1;
  std::vector<std::size_t> unnamed;
  for (; group.end < messages.size() && messages[group.end].role == Role::tool; ++group.end) {
    const ChatMessage& result = messages[group.end];
    std::size_t call = 0;
    while (call < group.calls.size() && (result.call_id.empty() || !takes(group, call, result))) ++call;
    if (call < group.calls.size()) {
      group.results[call] = group.end;
    } else {
      unnamed.push_back(group.end);
    }
  }
  for (const std::size_t result : unnamed) {
    const auto open = std::find(group.results.begin(), group.results.end(), std::nullopt);
    if (open != group.results.end()) {
      *open = result;
    } else {
      group.orphans.push_back(result);
    }
  }
  return group;
}

}  // namespace parley::orchestration::prompt
