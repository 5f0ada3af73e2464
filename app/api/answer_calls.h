#pragma once
// The tool calls of an answer in OpenAI's shapes, from the events of its parser. One object per answer, used
// by one thread; never fails. A call that broke before its name was read is left out: nobody could answer it.
// One that broke later is told as the model wrote it; clients of this API expect arguments that are no JSON.

#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "inference/json/json.h"
#include "orchestration/calls/call_event.h"
#include "orchestration/prompt/chat_message.h"

namespace parley::app::api {

// Ids of a conversation's calls, for those whose model writes none.
struct KnownCalls {
  std::set<std::string> ids;
  std::size_t count = 0;
};

KnownCalls known_calls(const std::vector<orchestration::prompt::ChatMessage>& messages);

class AnswerCalls {
 public:
  explicit AnswerCalls(KnownCalls known) : known_(std::move(known)) {}

  // The element of a delta's `tool_calls` that tells this event; none: nothing to tell. The first of a call
  // has its index, id, type, name and empty arguments, the others index and a part of the arguments.
  std::optional<inference::json::JsonObject> take(const orchestration::calls::CallEvent& event);

  bool empty() const { return calls_.empty(); }
  inference::json::JsonArray whole() const;  // of a message

 private:
  struct Call {
    std::string id;
    std::string name;
    std::string arguments;
    bool id_is_ours = false;
  };

  std::optional<inference::json::JsonObject> begin(const orchestration::calls::CallBegin& event);
  std::optional<inference::json::JsonObject> grow(int index, const std::string& text);
  std::optional<inference::json::JsonObject> end(const orchestration::calls::CallEnd& event);
  void name_id(Call& call, const std::string& written);

  KnownCalls known_;
  std::set<std::string> own_ids_;         // of this answer
  std::map<int, std::size_t> positions_;  // of the parser's calls in calls_
  std::vector<Call> calls_;
};

// "tool_calls" only with a call that the client was told of.
std::string client_finish_reason(const std::string& stop_reason, const AnswerCalls& calls);

}  // namespace parley::app::api
