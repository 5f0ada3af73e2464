#include "orchestration/turn/turn_events.h"

#include <algorithm>
#include <utility>

namespace parley::orchestration::turn {

using sessions::Message;

Message new_answer(HubCore& core, std::string id, std::string parent) {
  Message answer;
  answer.id = std::move(id);
  answer.parent = std::move(parent);
  answer.role = sessions::Role::assistant;
  answer.status = sessions::MessageStatus::streaming;
  answer.model = core.model.info().name;
  answer.created_at = core.now();
  return answer;
}

void publish_added(HubCore& core, LiveConversation& live, const Message& message) {
  MessageAdded event;
  event.message = message;
  core.publish(live, std::move(event));
  live.record.active_leaf = message.id;
  live.record.updated_at = std::max(live.record.updated_at, message.created_at);
}

void publish_message(HubCore& core, LiveConversation& live, Message message) {
  MessageChanged event;
  event.text_bytes = message.text.size();
  event.message = without_text(std::move(message));
  core.publish(live, std::move(event));
}

void publish_continued(HubCore& core, LiveConversation& live, const Message& message) {
  live.log.open_text(message.id, message.epoch, message.text);
  publish_message(core, live, message);
}

}  // namespace parley::orchestration::turn
