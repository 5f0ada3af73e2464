#pragma once
// A path of the conversation's tree as the model sees it. Pure functions, any thread, never fail.

#include <string_view>
#include <vector>

#include "orchestration/prompt/chat_message.h"
#include "orchestration/sessions/conversation.h"

namespace parley::orchestration::turn {

// The system text, then questions and answers, each answer with its calls followed by their results. An
// answer that has neither text nor calls is left out, though it may have reasoning, unless it is the last
// message, which may go on. Its question stays, as a turn of its own that can be left out of a prompt which
// it makes too long.
std::vector<prompt::ChatMessage> chat_history(const sessions::ChatSettings& settings,
                                              const std::vector<sessions::Message>& path);

// What stands around the reasoning in the text of an answer, at its beginning.
inline constexpr std::string_view kReasoningOpen = "<think>";
inline constexpr std::string_view kReasoningClose = "</think>\n\n";

// Whether an answer was cut inside its reasoning, so that more of it is more of that.
bool ends_in_reasoning(const sessions::Message& answer);

// Turns left out of the newest answer's prompt on the path.
int left_out_before(const std::vector<sessions::Message>& path);

}  // namespace parley::orchestration::turn
