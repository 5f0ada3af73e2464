#pragma once
// The tools that a chat request brings, and which of them may be called: `tools`, `tool_choice` and
// `parallel_tool_calls`. Plain functions, any thread; problems are noted in the reader, nothing throws.

#include "app/api/server_tools.h"
#include "app/protocol/field_reader.h"
#include "orchestration/turn/chat_model.h"

namespace parley::app::api {

// `server` says which tools the server adds later: a choice may name those, too.
orchestration::turn::ToolOffer read_tool_offer(protocol::FieldReader& fields, const ServerToolChoice& server);

}  // namespace parley::app::api
