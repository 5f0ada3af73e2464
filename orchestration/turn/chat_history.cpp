#include "orchestration/turn/chat_history.h"

#include <algorithm>
#include <utility>

namespace parley::orchestration::turn {
namespace {

using prompt::ChatMessage;
using prompt::Role;

void append(std::vector<ChatMessage>& history, const sessions::Message& message) {
  ChatMessage next;
  next.role = message.role;
  next.text = message.text;
  next.token_ids = message.token_ids;
  history.push_back(std::move(next));
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
    if (!message.text.empty()) append(history, message);
  }
  return history;
}

int left_out_before(const std::vector<sessions::Message>& path) {
  const auto newest = std::find_if(path.rbegin(), path.rend(), [](const sessions::Message& message) {
    return message.role == Role::assistant;
  });
  return newest == path.rend() ? 0 : newest->left_out_turns;
}

}  // namespace parley::orchestration::turn
