#include "orchestration/turn/answer_text.h"

#include <algorithm>
#include <utility>
#include <variant>

#include "orchestration/turn/chat_history.h"

namespace parley::orchestration::turn {
namespace {

bool begins_call(const ChatDelta& delta) {
  return std::any_of(delta.calls.begin(), delta.calls.end(), [](const calls::CallEvent& event) {
    return std::holds_alternative<calls::CallBegin>(event);
  });
}

}  // namespace

std::string AnswerText::take(const ChatDelta& delta) {
  std::string text;
  if (!delta.reasoning.empty()) {
    if (!std::exchange(is_reasoning_, true)) text += kReasoningOpen;
    text += delta.reasoning;
  }
  if (!delta.text.empty()) text.append(close()).append(delta.text);
  if (begins_call(delta)) text += close();
  return text;
}

std::string AnswerText::close() {
  return std::exchange(is_reasoning_, false) ? std::string(kReasoningClose) : std::string();
}

}  // namespace parley::orchestration::turn
