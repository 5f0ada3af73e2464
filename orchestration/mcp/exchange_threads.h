#pragma once
// The threads of the requests that are under way over HTTP, each with a stop of its own. Any thread, but not
// one of these; bounded.

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <list>
#include <mutex>
#include <stop_token>
#include <string>
#include <thread>

namespace parley::orchestration::mcp {

class ExchangeThreads {
 public:
  static constexpr std::size_t kMax = 64;

  ~ExchangeThreads() { stop_all(); }

  // `id` names it for stop(); 0 is never named. Not empty: why it is not run (too many, stop_all() was
  // called, no thread could be made). An exception of `work` goes to `failed`, in words.
  std::string run(std::int64_t id, std::function<void(std::stop_token)> work,
                  std::function<void(const std::string& why)> failed);
  void stop(std::int64_t id);
  // Blocks until all have ended; none is begun afterwards.
  void stop_all();

 private:
  struct Exchange {
    std::int64_t id = 0;
    std::atomic<bool> done{false};
    std::jthread thread;
  };

  std::mutex mutex_;
  bool stopped_ = false;
  std::list<Exchange> exchanges_;
};

}  // namespace parley::orchestration::mcp
