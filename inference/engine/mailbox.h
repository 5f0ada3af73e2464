#pragma once
// The hand-over between the engine thread and everybody else: requests and cancellations one way, counters
// the other.
//
// submit, cancel, stats, close and wake: any thread. wait and publish: the engine thread. Holds its lock for
// moments only and never while a sink is called. Cannot fail.

#include <condition_variable>
#include <memory>
#include <mutex>
#include <variant>
#include <vector>

#include "inference/engine/engine.h"
#include "inference/engine/sequence.h"

namespace parley::inference::engine {

class Mailbox {
 public:
  struct Mail {
    std::vector<Submission> submissions;
    std::vector<RequestId> cancellations;  // of requests in earlier mail or in this one
    bool closed = false;                   // no more mail will come
  };

  Mailbox(int max_waiting, const EngineStats& stats) : max_waiting_(max_waiting), stats_(stats) {}

  // `request` has passed the checks that need no lock.
  std::variant<RequestId, Rejection> submit(Request request, std::shared_ptr<TokenSink> sink);
  void cancel(RequestId id);
  EngineStats stats() const;
  void close();
  // Ends a wait without mail.
  void wake();

  // Takes what has come. Parks until something has or `wake` was called, unless the engine has work.
  Mail wait(bool has_work);
  // Counters that include all mail taken so far.
  void publish(const EngineStats& stats);

 private:
  int num_undelivered() const { return num_mailed_ + num_taken_; }

  const int max_waiting_;
  mutable std::mutex mutex_;
  std::condition_variable arrived_;
  Mail mail_;
  bool woken_ = false;
  EngineStats stats_;
  int num_mailed_ = 0;  // requests for answers in mail_
  int num_taken_ = 0;   // of those taken by the engine thread, the ones that stats_ does not count yet
  RequestId last_id_ = 0;
};

}  // namespace parley::inference::engine
