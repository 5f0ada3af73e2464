#pragma once
// A chat in which the model's calls run here and nobody can be asked: for API requests that want it. To the
// caller it is one answer; only tools that need no approval run, the rest are denied with a result that says
// so. I/O thread; what goes wrong in a call is its result.

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>

#include "orchestration/turn/chat_model.h"
#include "orchestration/turn/tool_desk.h"

namespace parley::orchestration::turn {

// `request.tools` are the desk's. Model and desk outlive the stream. Its deltas have no call events; its
// ChatFinished has the calls that ran, and the usage of all rounds.
boost::asio::awaitable<ChatStart> start_tool_loop(ChatModel& model, ToolDesk& desk,
                                                  boost::asio::any_io_executor executor, ChatRequest request);

}  // namespace parley::orchestration::turn
