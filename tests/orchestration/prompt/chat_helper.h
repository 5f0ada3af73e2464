#pragma once
// Short ways to write conversations in tests.

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "orchestration/prompt/chat_message.h"

namespace parley::orchestration::prompt {

inline ChatMessage system_says(std::string text) { return {Role::system, std::move(text), {}}; }
inline ChatMessage user_says(std::string text) { return {Role::user, std::move(text), {}}; }
inline ChatMessage assistant_says(std::string text, std::vector<std::int32_t> ids = {}) {
  return {Role::assistant, std::move(text), std::move(ids)};
}

}  // namespace parley::orchestration::prompt
