#pragma once
// How much of unfinished bodies and messages all clients together may have sent. Each of them has a little
// that is not counted, so that what people ordinarily send gets through whatever others hold. I/O thread;
// never fails.

#include <cstddef>
#include <memory>

#include "app/http/limits.h"

namespace parley::app::http {

struct ReceiveBudget {
  explicit ReceiveBudget(const HttpLimits& limits)
      : max_bytes(limits.max_unfinished), uncounted_bytes(limits.uncounted_unfinished) {}

  std::size_t max_bytes;
  std::size_t uncounted_bytes;  // of each
  std::size_t held_bytes = 0;
};

// Shared with whatever still receives when the server is gone.
using ReceiveBudgetPtr = std::shared_ptr<ReceiveBudget>;

// What one body or message holds of it; given back by the destructor.
class UnfinishedBytes {
 public:
  explicit UnfinishedBytes(ReceiveBudgetPtr budget);
  ~UnfinishedBytes();
  UnfinishedBytes(const UnfinishedBytes&) = delete;
  UnfinishedBytes& operator=(const UnfinishedBytes&) = delete;

  // False: there is no room for so many more; they are not held.
  bool add(std::size_t num_bytes);

 private:
  ReceiveBudgetPtr budget_;
  std::size_t num_bytes_ = 0;
  std::size_t num_counted_ = 0;
};

}  // namespace parley::app::http
