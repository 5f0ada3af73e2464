#pragma once
// Sends the answer of a model to a client, whole or as server-sent events, and gives the model up when the
// client goes. I/O thread. A broken model throws out of the co_await; what can be expected is told to the
// client.

#include <chrono>

#include <boost/asio/awaitable.hpp>

#include "app/api/answer_format.h"
#include "app/http/exchange.h"
#include "orchestration/turn/chat_model.h"

namespace parley::app::api {

struct DeliveryOptions {
  bool stream = false;
  bool include_usage = false;
  // A comment in a stream that has been silent for so long, for proxies that would cut it.
  std::chrono::milliseconds keep_alive{10'000};
};

// Watches one client from before its request is started. Cancels the answer when the client goes.
class ClientWatch {
 public:
  explicit ClientWatch(http::Exchange& exchange);
  void attach(orchestration::turn::ChatStream* stream) { stream_ = stream; }

 private:
  orchestration::turn::ChatStream* stream_ = nullptr;
};

// `watch` must be that of the exchange, and outlive the call.
boost::asio::awaitable<void> deliver(http::Exchange& exchange, ClientWatch& watch,
                                     orchestration::turn::ChatStart start, AnswerFormat& format,
                                     DeliveryOptions options);

}  // namespace parley::app::api
