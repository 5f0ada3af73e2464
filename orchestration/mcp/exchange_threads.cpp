#include "orchestration/mcp/exchange_threads.h"

#include <utility>

namespace parley::orchestration::mcp {

bool ExchangeThreads::run(std::int64_t id, std::function<void(std::stop_token)> work) {
  const std::lock_guard lock(mutex_);
  exchanges_.remove_if([](const Exchange& exchange) { return exchange.done.load(); });
  if (stopped_ || exchanges_.size() >= kMax) return false;
  Exchange& exchange = exchanges_.emplace_back();
  exchange.id = id;
  exchange.thread = std::jthread([&exchange, work = std::move(work)](const std::stop_token& stop) {
    work(stop);
    exchange.done = true;
  });
  return true;
}

void ExchangeThreads::stop(std::int64_t id) {
  const std::lock_guard lock(mutex_);
  for (Exchange& exchange : exchanges_) {
    if (exchange.id == id) exchange.thread.request_stop();
  }
}

void ExchangeThreads::stop_all() {
  std::list<Exchange> ending;
  {
    const std::lock_guard lock(mutex_);
    stopped_ = true;
    ending.swap(exchanges_);
  }
  for (Exchange& exchange : ending) exchange.thread.request_stop();
  ending.clear();  // joins
}

}  // namespace parley::orchestration::mcp
