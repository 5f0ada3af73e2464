#pragma once
// What all conversations share of tools: the set there is now, who allowed what, how many calls run, the log
// of calls. I/O thread, but for the constructor and the destructor, which waits for calls that run. A file
// that cannot be written is a line in the server's log.

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/thread_pool.hpp>

#include "orchestration/tools/approvals.h"
#include "orchestration/tools/audit_log.h"
#include "orchestration/tools/audit_page.h"
#include "orchestration/tools/tool_registry.h"
#include "orchestration/turn/tool_catalogue.h"
#include "orchestration/turn/wakeup.h"

namespace parley::orchestration::turn {

struct ToolDeskParts {
  // Quick, any thread; never null.
  std::function<std::shared_ptr<const tools::RegistryState>()> current;
  std::filesystem::path approvals_file;  // of "always" answers; empty: they last as long as the process
  std::filesystem::path audit_file;      // empty: no log
  std::function<void(const std::string&)> log;
  std::function<void()> approvals_changed;  // I/O thread; what people have allowed is another; may be empty
  std::size_t threads = 16;                 // of calls that run at once, all conversations together
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
  // It was deleted: what was allowed for it is asked again, should it come back.
  void forget_chat(const std::string& chat) { approvals_.forget_chat(chat); }
  std::vector<ToolApproval> approvals() const;  // those for every chat first
  // Whatever was allowed about this tool is asked for again; calls that have begun go on. Nullopt: for good;
  // else a sentence that says why it comes back with a restart.
  boost::asio::awaitable<std::optional<std::string>> withdraw(std::string tool);
  void record(tools::AuditRecord record);
  // A page of the log of calls; all that were recorded so far are in it.
  boost::asio::awaitable<tools::AuditPage> read_audit(std::optional<std::uint64_t> before, std::size_t limit);

  // Calls run here, with run_blocking.
  boost::asio::thread_pool& threads() { return threads_; }
  // What is done before a call runs is done here, so that it never waits for tools: checking arguments, which
  // may have a megabyte, and previews.
  boost::asio::thread_pool& planning_threads() { return planning_threads_; }

  // For what may outlive the desk: coroutines' frames are destroyed with the io_context, last of all, when
  // the process ends by an exception.
  std::weak_ptr<ToolDesk> watch() const { return self_; }

  // One of the tool's places, ToolSpec::max_parallel of them. False: all are taken; `freed` wakes.
  bool try_take_place(const tools::ToolSpec& spec);
  void free_place(const tools::ToolSpec& spec);
  Wakeup freed;

 private:
  void follow_policy();
  void tell_approvals_changed() const;

  const ToolDeskParts parts_;
  tools::Approvals approvals_;
  bool file_is_behind_ = false;                        // what was taken back is still in the file
  std::shared_ptr<const tools::ToolsFile> policy_of_;  // shared with the registry's states
  std::map<std::string, int> running_;                 // calls by tool
  boost::asio::thread_pool files_{1};                  // writes them, one after the other
  boost::asio::thread_pool planning_threads_{2};
  boost::asio::thread_pool threads_;
  const std::shared_ptr<ToolDesk> self_{this,
                                        [](ToolDesk*) {}};  // owns nothing: tells that the desk is there
};

}  // namespace parley::orchestration::turn
