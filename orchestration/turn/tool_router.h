#pragma once
// For models that call whenever they see a tool: one choice among the names of the tools and "none", put to
// the model in a short conversation of its own, before anything else. What does not change from question to
// question stands first, so that the cache holds it. Pure functions, any thread, never fail.

#include <string>
#include <string_view>
#include <vector>

#include "inference/json/json.h"
#include "orchestration/prompt/chat_message.h"
#include "orchestration/turn/chat_model.h"

namespace parley::orchestration::turn {

inline constexpr std::string_view kNoTool = "none";

// Whether the router has to be asked: what may be called is the model's own choice, and a question or a
// result was the last thing said.
bool needs_router(const ModelInfo& model, const ChatRequest& request);

// The conversation in which it is asked.
std::vector<prompt::ChatMessage> router_messages(const ChatRequest& request);

// What it may answer.
std::vector<std::string> router_choices(const ToolOffer& offer);

// A request for one call of this tool, its text alone in the prompt.
ChatRequest request_for_call(ChatRequest request, const std::string& tool);

// A request for prose: without any text of tools, but behind results with that of the tool which gave the
// last one, so that the prompt goes on where the call ended. Several results are told with the question.
ChatRequest request_for_prose(ChatRequest request);

// Calls since the last question, which are not to be repeated.
struct AnsweredCall {
  std::string name;
  inference::json::JsonValue arguments;
};
std::vector<AnsweredCall> answered_calls(const std::vector<prompt::ChatMessage>& messages);

// `arguments` is JSON text; members may be in another order.
bool is_answered(const std::vector<AnsweredCall>& answered, std::string_view name,
                 std::string_view arguments);

}  // namespace parley::orchestration::turn
