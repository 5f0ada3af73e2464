#pragma once
// Short ways to write conversations in tests, and a tokenizer for them.

#include <cstdint>
#include <fstream>
#include <iterator>
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

inline ChatMessage assistant_calls(std::vector<MessageCall> calls, std::string text = {}) {
  ChatMessage message = assistant_says(std::move(text));
  message.calls = std::move(calls);
  return message;
}
inline ChatMessage tool_says(std::string text, std::string call_id = {}) {
  ChatMessage message{Role::tool, std::move(text), {}};
  message.call_id = std::move(call_id);
  return message;
}

inline const ToolDescription kWeatherTool = {
    "get_weather", "Weather of a city.",
    R"({"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]})"};
inline const MessageCall kParisCall = {"", "get_weather", R"({"city": "Paris"})"};
inline const MessageCall kRomeCall = {"", "get_weather", R"({"city": "Rome"})"};

inline std::string golden_template(const std::string& name) {
  std::ifstream file(std::string(PARLEY_SOURCE_DIR) + "/tests/goldens/jinja/templates/" + name,
                     std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace parley::orchestration::prompt
