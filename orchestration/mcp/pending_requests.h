#pragma once
// The requests that wait for an answer: the hand-over from a transport's threads to the threads that asked.
// Any thread; what can fail is in the Reply.

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <mutex>
#include <string>

#include "orchestration/mcp/reply.h"

namespace parley::orchestration::mcp {

class PendingRequests {
 public:
  // A new id, from 1, never used again. After close() the request has failed already.
  std::int64_t open();

  // Blocks until it is settled or the wait is over; the id is forgotten then. One thread per id.
  Reply wait(std::int64_t id, const Wait& wait);

  // True, once for each id: it was given up not long ago, so that its answer was asked for.
  bool take_late(std::int64_t id);

  // False: nobody waits for this id (unknown, answered before, or given up).
  bool settle(std::int64_t id, Reply reply);
  // Only the newest progress is kept until its waiter has seen it.
  bool report(std::int64_t id, Progress progress);

  // Fails all, and each that is opened from now on. The first reason stays.
  void close(const std::string& reason);

 private:
  struct Pending {
    std::optional<Reply> reply;
    std::optional<Progress> news;
    std::chrono::steady_clock::time_point last_news;
  };

  static constexpr std::size_t kMaxGivenUp = 64;

  RequestFailure closed() const;

  std::mutex mutex_;
  std::condition_variable_any changed_;
  std::map<std::int64_t, Pending> pending_;
  std::int64_t last_id_ = 0;
  std::deque<std::int64_t> given_up_;  // the last of them, without an answer so far
  std::optional<std::string> closed_;
};

}  // namespace parley::orchestration::mcp
