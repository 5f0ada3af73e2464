#pragma once
// A conversation as the user writes it for generate and render. A plain function, any thread. Throws
// std::runtime_error that names the place in the text and says what belongs there.

#include <string>
#include <vector>

#include "orchestration/prompt/chat_message.h"

namespace parley::app::cli {

struct MessagesDocument {
  std::vector<orchestration::prompt::ChatMessage> messages;
  std::string tools_json;  // an array, or empty
};

// {"messages":[…],"tools":[…]} or the bare array of messages, each in OpenAI's form: {"role","content"}, of
// an assistant also "reasoning_content" and "tool_calls", of a tool "tool_call_id" and "name". `source` is
// what errors call it.
MessagesDocument parse_messages(const std::string& json, const std::string& source);

}  // namespace parley::app::cli
