#pragma once
// Answers as they come to be, and how subscribers are told. I/O thread; never fails.

#include <string>

#include "orchestration/sessions/conversation.h"
#include "orchestration/turn/hub_core.h"

namespace parley::orchestration::turn {

// One that is about to be generated.
sessions::Message new_answer(HubCore& core, std::string id, std::string parent);

// It becomes the active leaf.
void publish_added(HubCore& core, LiveConversation& live, const sessions::Message& message);
// Its status, error, usage, calls; the text has been told in deltas.
void publish_message(HubCore& core, LiveConversation& live, sessions::Message message);
// An answer that has `message.text` grows again.
void publish_continued(HubCore& core, LiveConversation& live, const sessions::Message& message);

}  // namespace parley::orchestration::turn
