#pragma once
// The tools of a running server: keeps the tools file and the servers in it up to date on a thread of its
// own, and tells the I/O thread. Made and destroyed on the I/O thread, like all the rest of it; the
// destructor ends the servers and waits for that. What cannot be used is a problem of the snapshot, never an
// exception.

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <mutex>
#include <thread>

#include <boost/asio/any_io_executor.hpp>

#include "app/cli/tool_box.h"
#include "orchestration/turn/tool_catalogue.h"

namespace parley::app::cli {

// Which tools a chat has that has not said which it wants.
enum class DefaultTools : std::uint8_t { none, all };

struct ToolHostOptions {
  DefaultTools chosen = DefaultTools::none;
  std::chrono::milliseconds interval{1000};  // between looks at file and servers
};

class ToolHost : public orchestration::turn::ToolCatalogue {
 public:
  ToolHost(std::unique_ptr<ToolBox> box, const boost::asio::any_io_executor& executor,
           const ToolHostOptions& options);
  ~ToolHost() override;

  orchestration::turn::ToolSnapshot snapshot() const override;
  std::shared_ptr<const orchestration::tools::RegistryState> registry() const override;
  std::uint64_t version() const override;
  boost::asio::awaitable<void> changed() override;

 private:
  struct Shown;

  void watch();
  void look();

  const std::unique_ptr<ToolBox> box_;
  const boost::asio::any_io_executor executor_;
  const ToolHostOptions options_;
  const std::shared_ptr<Shown> shown_;  // the I/O thread's; shared with what is on its way there

  // Of the watching thread.
  orchestration::turn::ToolSnapshot newest_;
  std::uint64_t registry_version_ = 0;

  std::mutex mutex_;
  std::condition_variable woken_;
  bool stopping_ = false;
  std::thread thread_;
};

}  // namespace parley::app::cli
