#pragma once
// What the in-process model consists of, shared by the model and its streams: the engine lives until the last
// stream is gone. Immutable but for what it makes when it is first needed; any thread. Never fails.

#include <memory>
#include <mutex>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/thread_pool.hpp>

#include "inference/grammar/vocabulary_index.h"
#include "orchestration/turn/constraint_cache.h"
#include "orchestration/turn/local_chat_model.h"

namespace parley::orchestration::turn {

class LocalModelCore {
 public:
  LocalModelCore(LocalModelParts parts, boost::asio::any_io_executor executor,
                 boost::asio::thread_pool& workers)
      : parts_(std::move(parts)), executor_(std::move(executor)), workers_(workers) {}

  const LocalModelParts& parts() const { return parts_; }
  const boost::asio::any_io_executor& executor() const { return executor_; }
  boost::asio::thread_pool& workers() const { return workers_; }
  ConstraintCache& constraints() const { return constraints_; }

  // Worker thread: the first call takes a tenth of a second.
  std::shared_ptr<const inference::grammar::VocabularyIndex> vocabulary() const;

  // Tokens of prompt and answer together.
  int max_context() const;

 private:
  static constexpr std::size_t kMaxConstraints = 32;

  LocalModelParts parts_;
  boost::asio::any_io_executor executor_;
  boost::asio::thread_pool& workers_;
  mutable std::once_flag vocabulary_made_;
  mutable std::shared_ptr<const inference::grammar::VocabularyIndex> vocabulary_;  // shared with constraints
  mutable ConstraintCache constraints_{kMaxConstraints};
};

}  // namespace parley::orchestration::turn
