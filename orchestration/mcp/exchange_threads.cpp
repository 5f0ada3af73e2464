#include "orchestration/mcp/exchange_threads.h"

#include <exception>
#include <utility>

namespace parley::orchestration::mcp {

std::string ExchangeThreads::run(std::int64_t id, std::function<void(std::stop_token)> work,
                                 std::function<void(const std::string& why)> failed) {
  const std::lock_guard lock(mutex_);
  exchanges_.remove_if([](const Exchange& exchange) { return exchange.done.load(); });
  if (stopped_) return "the connection is closed";
  if (exchanges_.size() >= kMax) return "too many requests are waiting for it";
  Exchange& exchange = exchanges_.emplace_back();
  exchange.id = id;
  const auto body = [&exchange, work = std::move(work),
                     failed = std::move(failed)](const std::stop_token& stop) {
    try {
      work(stop);
    } catch (const std::exception& error) {
      failed(std::string("Parley could not do it: ") + error.what());
    }
    exchange.done = true;
  };
  try {
    exchange.thread = std::jthread(body);
  } catch (const std::exception& error) {
    exchanges_.pop_back();
    return std::string("no thread is left for it: ") + error.what();
  }
  return {};
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
