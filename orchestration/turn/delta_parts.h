#pragma once
// Looking at deltas and joining them. Pure functions, any thread, never fail but for memory.

#include <string>
#include <utility>

#include "orchestration/turn/chat_model.h"

namespace parley::orchestration::turn {

inline bool has_content(const ChatDelta& delta) {
  return !delta.token_ids.empty() || !delta.text.empty() || !delta.reasoning.empty() || !delta.calls.empty();
}

inline void append(ChatDelta& delta, ChatDelta more) {
  delta.text += more.text;
  delta.reasoning += more.reasoning;
  for (calls::CallEvent& event : more.calls) delta.calls.push_back(std::move(event));
  delta.token_ids.insert(delta.token_ids.end(), more.token_ids.begin(), more.token_ids.end());
  for (ScoredToken& score : more.scores) delta.scores.push_back(std::move(score));
}

// JSON text of the arguments of call number `index`.
inline std::string arguments_of(const ChatDelta& delta, int index) {
  std::string json;
  for (const calls::CallEvent& event : delta.calls) {
    const auto* part = std::get_if<calls::ArgumentsDelta>(&event);
    if (part != nullptr && part->index == index) json += part->json;
  }
  return json;
}

}  // namespace parley::orchestration::turn
