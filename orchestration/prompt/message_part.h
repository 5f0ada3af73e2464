#pragma once
// One message in the form that a chat template is given it. Plain data, any thread.

#include <string>
#include <vector>

#include "orchestration/jinja/text.h"
#include "orchestration/prompt/chat_message.h"

namespace parley::orchestration::prompt {

// Bytes of one author.
struct TextPiece {
  std::string bytes;
  jinja::Origin origin = jinja::kTemplateOrigin;
};
using TextPieces = std::vector<TextPiece>;

struct MessagePart {
  Role role = Role::user;
  TextPieces content;
  jinja::Origin origin = jinja::kTemplateOrigin;  // of all fields below
  std::string reasoning = {};
  std::vector<MessageCall> calls = {};
  std::string call_id = {};
  std::string tool_name = {};
};
using MessageParts = std::vector<MessagePart>;

inline void append(TextPieces& pieces, TextPieces more) {
  for (TextPiece& piece : more) pieces.push_back(std::move(piece));
}

}  // namespace parley::orchestration::prompt
