#pragma once
// Short ways to write conversations in tests, and a tokenizer for them.

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "orchestration/prompt/chat_message.h"
#include "tests/fakes/fake_tokenizer.h"

namespace parley::orchestration::prompt {

inline const fakes::FakeTokenizer kFakeTokenizer;

inline ChatMessage system_says(std::string text) { return {Role::system, std::move(text), {}}; }
inline ChatMessage user_says(std::string text) { return {Role::user, std::move(text), {}}; }
inline ChatMessage assistant_says(std::string text, std::vector<std::int32_t> ids = {}) {
  return {Role::assistant, std::move(text), std::move(ids)};
}

}  // namespace parley::orchestration::prompt
