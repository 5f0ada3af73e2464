#pragma once
// The tools of a running server: keeps the tools file and the servers in it up to date on a thread of its
// own, and tells the I/O thread. Made and destroyed on the I/O thread, like all the rest of it; the
// destructor ends the servers and waits for that. What cannot be used is a problem of the snapshot and a line
// in the log, never an exception.

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include <boost/asio/any_io_executor.hpp>

#include "app/cli/tool_box.h"
#include "orchestration/turn/chat_model.h"
#include "orchestration/turn/tool_catalogue.h"

namespace parley::app::cli {

// Which tools a chat has that has not said which it wants.
enum class DefaultTools : std::uint8_t { none, all };

// Whether whoever connects over loopback can act as the person, a program of a tool included.
enum class OwnDoor : std::uint8_t { guarded, open };

struct ToolHostOptions {
  DefaultTools chosen = DefaultTools::none;
  OwnDoor door = OwnDoor::guarded;
  std::function<void(const std::string&)> log{};  // lines for the operator; any thread; empty: none
  std::filesystem::path file;                     // of the box; that nobody has written it yet is no problem
  std::chrono::milliseconds interval{1000};       // between looks at file and servers
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
  // `told` is called on the I/O thread behind each change from now on.
  void tell_changes(std::function<void()> told);

  // From now on the tokens of tools are counted so, on the watching thread. I/O thread.
  void count_with(orchestration::turn::TokenCounter count);
  // Wakes all who wait for a change: of what clients are told beside the snapshot. I/O thread.
  void tell();

 private:
  struct Shown;

  void watch();
  void look();
  void log_new(std::vector<std::string> lines);
  bool take_count();  // true: there is another way to count

  const std::unique_ptr<ToolBox> box_;
  const boost::asio::any_io_executor executor_;
  const ToolHostOptions options_;
  const std::shared_ptr<Shown> shown_;  // the I/O thread's; shared with what is on its way there

  // Of the watching thread.
  orchestration::turn::TokenCounter count_;  // empty: guess by the length
  orchestration::turn::ToolSnapshot newest_;
  std::uint64_t registry_version_ = 0;
  std::vector<std::string> told_;  // what holds at the moment and is in the log

  std::mutex mutex_;
  std::condition_variable woken_;
  bool stopping_ = false;
  std::optional<orchestration::turn::TokenCounter> next_count_;
  std::thread thread_;
};

}  // namespace parley::app::cli
