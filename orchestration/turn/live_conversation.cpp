#include "orchestration/turn/live_conversation.h"

#include "orchestration/turn/running_turn.h"

namespace parley::orchestration::turn {

using sessions::MessageStatus;

ConversationSummary LiveConversation::summary() const {
  ConversationSummary summary;
  summary.conversation = record;
  summary.answering = turn != nullptr;
  return summary;
}

void LiveConversation::overlay(sessions::Message& message) const {
  if (turn && turn->answer.id == message.id) {
    message = turn->answer;
    message.text = log.text();
  } else if (unsaved && unsaved->answer.id == message.id) {
    message = unsaved->answer;
    message.status = MessageStatus::failed;
    message.error = unsaved->failure;
  }
}

MessageView without_text(sessions::Message message) {
  message.text.clear();
  message.token_ids.clear();
  return message;
}

}  // namespace parley::orchestration::turn
