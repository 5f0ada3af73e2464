#pragma once
// Work that other threads want done on the indexer's thread, and what wakes that thread. `call`, `wake` and
// `close` any thread, the rest the indexer's.

#include <chrono>
#include <condition_variable>
#include <deque>
#include <functional>
#include <future>
#include <mutex>
#include <stop_token>
#include <string>

namespace parley::retrieval::ingest {

class CommandQueue {
 public:
  // Blocks until the work is done on the other thread; throws what it throws, or IndexError after `close`.
  template <typename T>
  T call(const std::function<T()>& work) {
    std::packaged_task<T()> task(work);
    std::future<T> done = task.get_future();
    post([&task] { task(); });
    return done.get();
  }
  void wake();

  // Returns whether there was any.
  bool run_all();
  // Until there is work, a wake, `longest` has passed or `stop`.
  void sleep(std::chrono::milliseconds longest, std::stop_token stop);
  // Runs what is left and refuses the rest: nobody waits for ever.
  void close(const std::string& reason);

 private:
  void post(std::function<void()> command);

  std::mutex mutex_;
  std::condition_variable_any changed_;
  std::deque<std::function<void()>> commands_;
  bool woken_ = false;
  bool closed_ = false;
  std::string reason_;
};

}  // namespace parley::retrieval::ingest
