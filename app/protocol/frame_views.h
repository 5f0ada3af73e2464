#pragma once
// The parts that frames have in common as JSON: <model>, <summary> and <message> of docs/protocol.md.
// Plain functions, any thread; never fails.

#include <string>

#include "app/protocol/frames.h"
#include "app/protocol/json.h"

namespace parley::app::protocol {

JsonObject view_of(const ModelView& model);
JsonObject view_of(const orchestration::turn::ConversationSummary& summary);
JsonObject view_of(const orchestration::sessions::Message& message);

JsonValue text_or_null(const std::string& text);  // empty: null

}  // namespace parley::app::protocol
