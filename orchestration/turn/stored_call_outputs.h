#pragma once
// What tools gave, for the tool that reads on in it: the store's, asked on the store's thread. As
// tools::StoredOutputs says; what the store cannot read is as if it were not there.

#include <mutex>

#include <boost/asio/thread_pool.hpp>

#include "orchestration/sessions/session_store.h"
#include "orchestration/tools/stored_outputs.h"

namespace parley::orchestration::turn {

class StoredCallOutputs final : public tools::StoredOutputs {
 public:
  // Both are used until close().
  StoredCallOutputs(sessions::SessionStore& store, boost::asio::thread_pool& store_thread);

  // Blocks for the store; never on its own thread.
  std::optional<tools::OutputPart> read(std::string_view chat, std::string_view id, std::size_t offset,
                                        std::size_t max_bytes) const override;

  // Before the store's thread is joined: from now on there is nothing to read. Calls may hold this object
  // beyond the store.
  void close();

 private:
  sessions::SessionStore& store_;
  boost::asio::thread_pool& store_thread_;
  mutable std::mutex mutex_;
  bool closed_ = false;
};

}  // namespace parley::orchestration::turn
