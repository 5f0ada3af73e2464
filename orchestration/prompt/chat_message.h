#pragma once
// One message as the prompt sees it. Plain data, any thread.

#include <cstdint>
#include <string>
#include <vector>

namespace parley::orchestration::prompt {

enum class Role : std::uint8_t { system, user, assistant };

struct ChatMessage {
  Role role = Role::user;
  std::string text;
  // Ids the model generated for `text`, empty if unknown. Used in place of re-tokenising when they decode to
  // it, because re-tokenised text can differ and lose the cached prefix.
  std::vector<std::int32_t> token_ids;
};

}  // namespace parley::orchestration::prompt
