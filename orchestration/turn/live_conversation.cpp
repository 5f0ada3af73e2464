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
    const auto writing = static_cast<std::size_t>(log.writing_call());
    if (writing < message.calls.size()) message.calls[writing].arguments = log.arguments();
  } else if (unsaved && unsaved->answer.id == message.id) {
    message = unsaved->answer;
    message.status = MessageStatus::failed;
    message.error = unsaved->failure;
  }
}

MessageView without_text(sessions::Message message) {
  message.text.clear();
  return without_bulk(std::move(message));
}

MessageView without_bulk(sessions::Message message) {
  message.token_ids.clear();
  for (sessions::ToolCall& call : message.calls) call = without_bulk(std::move(call));
  return message;
}

sessions::ToolCall without_bulk(sessions::ToolCall call) {
  if (!call.output.empty()) call.output_bytes = call.output.size();
  call.output.clear();
  for (calls::CallImage& image : call.images) image.bytes.clear();
  return call;
}

}  // namespace parley::orchestration::turn
