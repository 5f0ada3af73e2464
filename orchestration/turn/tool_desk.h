#pragma once
// What all conversations share of tools: the set there is now, who allowed what, how many calls run, the log
// of calls. I/O thread, but for the constructor and the destructor, which waits for calls that run. A file
// that cannot be written is a line in the server's log.

#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <string>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/thread_pool.hpp>

#include "orchestration/tools/approvals.h"
#include "orchestration/tools/audit_log.h"
#include "orchestration/tools/tool_registry.h"
#include "orchestration/turn/wakeup.h"

namespace parley::orchestration::turn {

struct ToolDeskParts {
  // Quick, any thread; never null.
  std::function<std::shared_ptr<const tools::RegistryState>()> current;
  std::filesystem::path approvals_file;  // of "always" answers; empty: they last as long as the process
  std::filesystem::path audit_file;      // empty: no log
  std::function<void(const std::string&)> log;
  std::size_t threads = 16;  // of calls that run at once, all conversations together
};

class ToolDesk {
 public:
  ToolDesk(const boost::asio::any_io_executor& executor, ToolDeskParts parts);
  ~ToolDesk();
  ToolDesk(const ToolDesk&) = delete;
  ToolDesk& operator=(const ToolDesk&) = delete;

  std::shared_ptr<const tools::RegistryState> state() const { return parts_.current(); }
  tools::ToolLimits limits() const;

  tools::Decision decide(const tools::ToolSpec& spec, const std::string& chat);
  void approve(const tools::ToolSpec& spec, const std::string& chat, tools::ApprovalScope scope);
  void record(tools::AuditRecord record);

  // Calls run here, with run_blocking.
  boost::asio::thread_pool& threads() { return threads_; }

  // One of the tool's places, ToolSpec::max_parallel of them. False: all are taken; `freed` wakes.
  bool try_take_place(const tools::ToolSpec& spec);
  void free_place(const tools::ToolSpec& spec);
  Wakeup freed;

 private:
  void follow_policy();

  const ToolDeskParts parts_;
  tools::Approvals approvals_;
  std::shared_ptr<const tools::ToolsFile> policy_of_;  // shared with the registry's states
  std::map<std::string, int> running_;                 // calls by tool
  boost::asio::thread_pool files_{1};                  // writes them, one after the other
  boost::asio::thread_pool threads_;
};

}  // namespace parley::orchestration::turn
