#pragma once
// One tool call, from what the model wrote to what it is given back. Any thread; `run_call` blocks for as
// long as the tool runs. What goes wrong is a result that the model can act on, never an exception.

#include <string>
#include <string_view>
#include <vector>

#include "inference/json/json.h"
#include "orchestration/calls/call_parts.h"
#include "orchestration/sessions/conversation.h"
#include "orchestration/tools/audit_log.h"
#include "orchestration/tools/tool.h"
#include "orchestration/tools/tool_set.h"
#include "orchestration/turn/result_limit.h"

namespace parley::orchestration::turn {

// A call that could run.
struct CallPlan {
  tools::ToolPointer tool;  // null: there is none, and a problem
  inference::json::JsonObject arguments;
  calls::CallPreview preview;
  std::string problem;  // not empty: it cannot run; a sentence for the model
  std::string note;     // for the model, in front of the result; empty: none
};

// Finds the tool and checks the arguments against its schema. Keys that the schema does not know are dropped,
// and noted: small models copy "required" and the like from it.
CallPlan plan_call(const tools::ToolSet& offered, const std::string& name, std::string_view arguments);

struct CallOutcome {
  sessions::CallState state = sessions::CallState::done;  // done, failed, cancelled
  std::string result;                                     // for the model
  std::string output;  // all of the text, where `result` is only a part of it
  std::vector<calls::CallImage> images;
  bool has_run = true;  // false: it was stopped before
};

// Not at all where `context.stop` was asked for before.
CallOutcome run_call(const CallPlan& plan, const tools::CallContext& context, const ResultLimit& limit);

// What the log of calls says of one that has ended and that a tool was found for.
tools::AuditRecord audit_record(const sessions::ToolCall& call, const CallPlan& plan,
                                const std::string& chat);

}  // namespace parley::orchestration::turn
