#pragma once
// The field `messages` of a chat request. A plain function, any thread; problems are noted in the reader.

#include <vector>

#include "app/protocol/field_reader.h"
#include "orchestration/prompt/chat_message.h"

namespace parley::app::api {

std::vector<orchestration::prompt::ChatMessage> read_chat_messages(protocol::FieldReader& fields);

}  // namespace parley::app::api
