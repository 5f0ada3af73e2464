#pragma once
// The in-process model: chat template, engine, and a reader that takes what is generated apart into prose,
// reasoning and calls. I/O thread; fails as ChatModel says.
//
// With ToolProfile::weak and tools to choose from, a router goes first (tool_router.h): the answer's own
// prompt then holds at most one tool, or none.

#include <memory>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/thread_pool.hpp>

#include "inference/engine/engine.h"
#include "inference/tokenizer/tokenizer.h"
#include "orchestration/prompt/prompt_builder.h"
#include "orchestration/turn/call_reading.h"
#include "orchestration/turn/chat_model.h"

namespace parley::orchestration::turn {

struct LocalModelParts {
  ModelInfo info;
  std::unique_ptr<inference::tokenizer::Tokenizer> tokenizer;
  std::unique_ptr<prompt::PromptBuilder> prompts;
  std::unique_ptr<inference::engine::Engine> engine;
  CallReading reading = {};
};

// `executor` is the I/O thread's; `workers` renders and tokenises prompts. Both must outlive the model.
std::shared_ptr<ChatModel> make_local_chat_model(LocalModelParts parts, boost::asio::any_io_executor executor,
                                                 boost::asio::thread_pool& workers);

}  // namespace parley::orchestration::turn
