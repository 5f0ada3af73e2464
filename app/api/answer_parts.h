#pragma once
// What both answer formats consist of. Plain functions, any thread; never fails.

#include <string>
#include <string_view>
#include <vector>

#include "app/api/answer_format.h"
#include "inference/json/json.h"

namespace parley::app::api {

// id, object, created and model of an answer; the same in all its pieces.
class AnswerHead {
 public:
  AnswerHead(std::string_view id_prefix, const AnswerOptions& options);
  inference::json::JsonObject begin(std::string_view object) const;

 private:
  std::string id_;
  std::int64_t created_;  // seconds since 1970
  std::string model_;
};

// {"calls":[…]}, each as <call> of docs/protocol.md, and "limit" where one was reached.
inference::json::JsonObject ran_calls_object(const AnswerEnd& end);

// {"unenforced": […]}, or nothing where all was enforced.
inference::json::JsonObject unenforced_object(const orchestration::turn::ToolReport& report);

// That, {"tool_mode": what came of the one that was asked for, "constraint_woke"} and, where it was asked,
// "router": the tool that it chose, or "none".
inference::json::JsonObject tool_report_object(const orchestration::turn::ToolReport& report);

inference::json::JsonObject usage_object(const orchestration::sessions::Usage& usage);

// {"content":[{"token","logprob","bytes","top_logprobs"}…]}
inference::json::JsonObject chat_logprobs(const std::vector<orchestration::turn::ScoredToken>& scores);

// {"tokens","token_logprobs","top_logprobs","text_offset"}; `offset` counts characters and moves on with the
// tokens.
inference::json::JsonObject completion_logprobs(const std::vector<orchestration::turn::ScoredToken>& scores,
                                                std::size_t& offset);

}  // namespace parley::app::api
