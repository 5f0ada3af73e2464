#pragma once
// The one hand-over from the engine's thread to the I/O thread. The engine pushes tokens into the sink and
// never waits; the reader takes all that have come since it last looked. Holds at most the tokens of one
// request. All but the sink is used on the I/O thread. Dropping the stream cancels the request. What the
// engine refuses or fails at is a value.

#include <memory>
#include <optional>
#include <vector>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>

#include "inference/engine/engine.h"

namespace parley::orchestration::turn {

struct TokenBatch {
  std::vector<inference::engine::GeneratedToken> tokens;
  std::optional<inference::engine::FinishedRequest> finished;  // the last batch of a request
};

class TokenStream {
 public:
  // `engine` outlives the stream; `executor` is the I/O thread's and outlives the engine.
  TokenStream(inference::engine::Engine& engine, const boost::asio::any_io_executor& executor);
  ~TokenStream();
  TokenStream(const TokenStream&) = delete;
  TokenStream& operator=(const TokenStream&) = delete;

  // Once. What is returned says why the engine did not take the request; then there is nothing to read.
  std::optional<inference::engine::Rejection> submit(inference::engine::Request request);

  // Waits for at least one token, or the end. Not called again after the end.
  boost::asio::awaitable<TokenBatch> next();

  // A batch with `finished` follows.
  void cancel();

 private:
  class Inbox;

  inference::engine::Engine& engine_;
  std::shared_ptr<Inbox> inbox_;  // shared with the engine, which keeps it until the request has finished
  std::optional<inference::engine::RequestId> request_;
};

}  // namespace parley::orchestration::turn
