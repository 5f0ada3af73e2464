#pragma once
// Reading what the user pipes in or names. Main thread. Throws std::runtime_error naming the file.

#include <filesystem>
#include <string>
#include <vector>

#include "orchestration/prompt/chat_message.h"

namespace parley::app::cli {

std::string read_standard_input();
std::string read_file(const std::filesystem::path& path);

struct MessagesDocument {
  std::vector<orchestration::prompt::ChatMessage> messages;
  std::string tools_json;  // an array, or empty
};

// {"messages":[{"role","content"}…],"tools":[…]} or the bare array of messages. Throws std::runtime_error
// that names the place in `source`.
MessagesDocument parse_messages(const std::string& json, const std::string& source);

}  // namespace parley::app::cli
