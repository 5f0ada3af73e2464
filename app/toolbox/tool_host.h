#pragma once
// The tools of a running server: looks at the file and at the servers every second, and tells when something is
// another. Made, used and destroyed on the I/O thread, but for registry(), which any may use; has a thread of
// its own, on which everything that may block is done. What is wrong with the file is in the snapshot.

#include <chrono>
#include <filesystem>
#include <memory>
#include <string>
#include <thread>

#include <boost/asio/any_io_executor.hpp>

#include "app/toolbox/tool_box.h"
#include "orchestration/turn/chat_model.h"
#include "orchestration/turn/tool_catalogue.h"
#include "orchestration/turn/wakeup.h"

namespace parley::app::toolbox {

struct ToolHostOptions {
  std::filesystem::path file;
  std::filesystem::path data_dir;
  config::Environment environment;
  std::shared_ptr<const orchestration::tools::StoredOutputs> outputs;  // shared with tools that use it
  std::chrono::milliseconds pause{1000};                               // between two looks
};

class ToolHost final : public orchestration::turn::ToolCatalogue {
 public:
  // `model` says which tools a new chat has, and counts tokens; it outlives the host.
  ToolHost(ToolHostOptions options, const orchestration::turn::ChatModel& model,
           const boost::asio::any_io_executor& executor);
  ~ToolHost() override;
  ToolHost(const ToolHost&) = delete;
  ToolHost& operator=(const ToolHost&) = delete;

  orchestration::turn::ToolSnapshot snapshot() const override;
  std::shared_ptr<const orchestration::tools::RegistryState> registry() const override {
    return box_.state();
  }
  std::uint64_t version() const override { return version_; }
  boost::asio::awaitable<void> changed() override { return changed_.wait(); }

 private:
  void watch(const std::stop_token& stop);
  std::string servers_as_seen() const;

  const orchestration::turn::ChatModel& model_;
  const boost::asio::any_io_executor executor_;
  const std::chrono::milliseconds pause_;
  ToolBox box_;
  std::uint64_t version_ = 1;
  orchestration::turn::Wakeup changed_;
  std::jthread watcher_;  // last: ends before what it uses
};

}  // namespace parley::app::toolbox
