#pragma once
// The parts of frames as JSON: <model>, <summary>, <message>, <call>, <tool>, <tool server>, <approval> and
// <record> of docs/protocol.md. Plain functions, any thread; never fails.

#include <string>

#include "app/protocol/frames.h"
#include "inference/json/json.h"

namespace parley::app::protocol {

inference::json::JsonObject view_of(const ModelView& model);
inference::json::JsonObject view_of(const orchestration::turn::ConversationSummary& summary);
inference::json::JsonObject view_of(const orchestration::sessions::Message& message);
inference::json::JsonObject view_of(const orchestration::sessions::ToolCall& call);
inference::json::JsonObject view_of(const orchestration::turn::OfferedTool& tool);
inference::json::JsonObject view_of(const orchestration::turn::ToolServer& server);
inference::json::JsonObject view_of(const orchestration::tools::AuditEntry& entry);
inference::json::JsonObject view_of(const orchestration::turn::ToolApproval& approval);

inference::json::JsonValue text_or_null(const std::string& text);  // empty: null

}  // namespace parley::app::protocol
