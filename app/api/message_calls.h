#pragma once
// Tool calls in the history of a chat request, and the results that answer them. Used by one thread; problems
// are noted in the reader.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/protocol/field_reader.h"
#include "inference/json/json.h"
#include "orchestration/prompt/chat_message.h"

namespace parley::app::api {

// `tool_calls` of an assistant's message; none when there are none. Names and arguments are taken as they
// are: what a model once wrote must not make its conversation unusable.
std::vector<orchestration::prompt::MessageCall> read_message_calls(protocol::FieldReader& message);

// What a server ran for an assistant's message, as answers tell it in `parley.calls`: a message that made
// these calls, and the result of each; none when there are none.
std::vector<orchestration::prompt::ChatMessage> read_ran_calls(protocol::FieldReader& message);

// The calls of the last assistant's message that no result has answered yet.
class OpenCalls {
 public:
  void begin(const std::vector<orchestration::prompt::MessageCall>& calls) { calls_ = calls; }
  // The name of the call that a result is for, which is open no longer; none: there is no such call. Of calls
  // with the same id the first.
  std::optional<std::string> answer(std::string_view id);

 private:
  std::vector<orchestration::prompt::MessageCall> calls_;
};

}  // namespace parley::app::api
