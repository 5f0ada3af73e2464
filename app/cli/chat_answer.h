#pragma once
// Has a chat model answer one request on the calling thread, with its calls. Blocks until the end. Throws
// std::runtime_error, a sentence for the user, when the model refuses or fails.

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include <boost/json/object.hpp>

#include "orchestration/turn/local_chat_model.h"

namespace parley::app::cli {

struct AnswerCall {
  std::string name;
  std::string arguments;  // JSON text as the model wrote it
  std::string error;      // not empty: the call is broken
};

struct ChatAnswer {
  std::string text;
  std::string reasoning;
  std::vector<AnswerCall> calls;
  std::vector<std::int32_t> ids;
  orchestration::turn::ChatFinished finished;
};

using OnText = std::function<void(const std::string&)>;

ChatAnswer answer_chat(orchestration::turn::LocalModelParts model, orchestration::turn::ChatRequest request,
                       const OnText& on_text);

// As --json prints it.
boost::json::object to_json(const ChatAnswer& answer);

}  // namespace parley::app::cli
