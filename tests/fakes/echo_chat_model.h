#pragma once
// A chat model that says the last message back, word by word, and does what words in it ask for:
//   !tokens N   answers with N numbered words      !wait MS    waits before the first token
//   !pause MS   waits before each token            !fail       fails behind the first token
//   !throw      throws there                       !queue_full !too_long !loading !stopping   is rejected so
// A message that begins with "!verbatim " is said back as it is, a few characters at a time. Where tools are
// offered, one that begins with "!call", "!think" or "!say" is a script (scripted_calls.h), and a call that
// the request demands is made without arguments of the named tool, or the first. Honours max_tokens, stop and
// logprobs. I/O thread; the counters may be read from anywhere.

#include <atomic>
#include <memory>

#include <boost/asio/any_io_executor.hpp>

#include "orchestration/turn/chat_model.h"

namespace parley::tests::fakes {

struct EchoCounters {
  std::atomic<int> num_alive{0};      // streams
  std::atomic<int> num_cancelled{0};  // cancel() was called, or dropped before the end
  std::atomic<int> num_finished{0};   // read to the end
};

// `seen` takes what was asked for last.
struct EchoRequests {
  orchestration::turn::ChatRequest chat;
  orchestration::turn::CompletionRequest completion;
};

std::shared_ptr<orchestration::turn::ChatModel> make_echo_chat_model(
    boost::asio::any_io_executor executor, std::shared_ptr<EchoCounters> counters,
    std::shared_ptr<EchoRequests> seen = nullptr);

}  // namespace parley::tests::fakes
