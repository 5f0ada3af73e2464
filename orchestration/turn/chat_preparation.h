#pragma once
// What has to be done before the engine is given a request: prompt, constraint, and how the output will be
// read. Plain functions for worker threads, since rendering, tokenising and compiling take time. What a user
// or a template is to blame for is a ChatRejection.

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "orchestration/turn/answer_reader.h"
#include "orchestration/turn/local_model_core.h"
#include "orchestration/turn/tool_router.h"

namespace parley::orchestration::turn {

// How the output of a request is read.
struct ReadingPlan {
  bool is_parsed = false;  // else all is prose
  calls::CallDetection detection = calls::CallDetection::off;
  calls::ReasoningStart start = calls::ReasoningStart::model_opens;
  std::vector<calls::OfferedTool> tools;
  CallLimit calls = CallLimit::any;
};

// A request as the engine takes it.
struct PreparedAnswer {
  prompt::Prompt prompt;
  std::vector<std::int32_t> stop_ids;
  ConstraintPointer constraint;         // null: any tokens
  std::vector<std::string> unenforced;  // CallGrammar::unenforced
  ConstraintPointer calls_banned;       // for a second try; null: there is none
  ReadingPlan reading;
};

// The question which tool is needed, and the answer if none is.
struct PreparedRoute {
  prompt::Prompt prompt;
  ConstraintPointer constraint;
};

struct PreparedChat {
  std::optional<PreparedRoute> route;
  PreparedAnswer answer;  // with a route: in prose
};

std::variant<PreparedChat, ChatRejection> prepare_chat(const LocalModelCore& core,
                                                       const ChatRequest& request);
std::variant<PreparedAnswer, ChatRejection> prepare_answer(const LocalModelCore& core,
                                                           const ChatRequest& request);
// What the prompts of the next questions begin with (question_prefix). Empty: nothing.
std::vector<std::int32_t> prepare_read_ahead(const LocalModelCore& core, const ChatRequest& request);
PreparedAnswer prepare_completion(const LocalModelCore& core, const CompletionRequest& request);

}  // namespace parley::orchestration::turn
