#pragma once
// The JSON of an answer in the two shapes of the OpenAI API: whole, or in pieces of a stream. One object per
// answer, used by one thread; never fails.

#include <memory>
#include <string>
#include <vector>

#include "app/api/answer_calls.h"
#include "inference/json/json.h"
#include "orchestration/sessions/conversation.h"
#include "orchestration/turn/chat_model.h"

namespace parley::app::api {

// How an answer ended.
struct AnswerEnd {
  std::string finish_reason;  // of the model
  std::string text;           // what was held back until the end
  // Calls that the server ran for this answer; an extension, none as a rule.
  std::vector<orchestration::sessions::ToolCall> ran_calls;
  std::string limit;  // not empty: why the model was not given their results; a sentence
  orchestration::turn::ToolReport tool_report;
};

struct AnswerOptions {
  std::string model;
  bool scored = false;         // logprobs were asked for
  bool include_usage = false;  // pieces carry "usage", null but in the last one
  bool tells_tools = false;    // the request asks for AnswerEnd::tool_report; an extension
  bool may_call = false;       // tools were offered: the answer need not have a text
  KnownCalls known_calls = {};
};

using JsonObjects = std::vector<inference::json::JsonObject>;

class AnswerFormat {
 public:
  virtual ~AnswerFormat() = default;

  // `answer`: all deltas as one.
  virtual inference::json::JsonObject whole(const orchestration::turn::ChatDelta& answer,
                                            const AnswerEnd& end,
                                            const orchestration::sessions::Usage& usage) = 0;

  // Pieces of a stream, in this order.
  virtual JsonObjects opening() = 0;
  virtual JsonObjects pieces(const orchestration::turn::ChatDelta& delta) = 0;
  virtual JsonObjects closing(const AnswerEnd& end) = 0;
  virtual inference::json::JsonObject usage(const orchestration::sessions::Usage& usage) = 0;
};

std::unique_ptr<AnswerFormat> make_chat_format(AnswerOptions options);
std::unique_ptr<AnswerFormat> make_completion_format(const AnswerOptions& options);

}  // namespace parley::app::api
