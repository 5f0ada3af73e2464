#pragma once
// A chat in which the model's calls run here and nobody can be asked: for API requests that want it. To the
// caller it is one answer. Only tools that need no approval run; a call of another is denied, with a result
// that says so. Calls of the caller's own tools end the answer. I/O thread; what goes wrong in a call is its
// result.

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>

#include "orchestration/turn/call_round.h"
#include "orchestration/turn/chat_model.h"
#include "orchestration/turn/tool_desk.h"

namespace parley::orchestration::turn {

// `request.tools` are the desk's, and those that `is_callers` knows. Model and desk outlive the stream.
//   Its deltas have the events of the caller's calls only. The prose of a round comes behind an empty line.
//   Its ChatFinished has the calls that ran, in their order, the usage of all rounds, and the first one's
//   choice of a router. It ends with "tool_calls" where the caller has calls to run, and with "length" where
//   the tokens of the request are spent, or, with `ChatFinished::limit`, where a limit keeps the model from
//   going on, or it failed after calls have run. The limit of time also ends what runs, model or calls.
boost::asio::awaitable<ChatStart> start_tool_loop(ChatModel& model, ToolDesk& desk,
                                                  boost::asio::any_io_executor executor, ChatRequest request,
                                                  ToolTest is_callers = {});

}  // namespace parley::orchestration::turn
