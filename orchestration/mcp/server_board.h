#pragma once
// What is known of a server at this moment, shared between the thread that keeps it alive and those that call
// it. Any thread; never fails.

#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <stop_token>

#include "orchestration/mcp/server.h"

namespace parley::orchestration::mcp {

class ServerBoard {
 public:
  using Time = std::chrono::steady_clock::time_point;

  // shared_ptr: a call goes on with its session while the next one is being started.
  struct Ready {
    std::shared_ptr<Session> session;  // null: not ready, `status` says why
    std::shared_ptr<const ToolList> tools;
    ServerStatus status;
  };

  void set_starting();
  void set_ready(std::shared_ptr<Session> session, ServerFacts facts);
  // It ended, or did not start: failed or restarting, by what it was before.
  void set_down(const std::string& reason, Time next_start);
  void set_ended();
  // True when they differ from those before.
  bool set_tools(ToolList tools, Time now);

  ServerStatus status() const;
  // Asks for a new list where the server's own time for it has passed.
  std::shared_ptr<const ToolList> tools(Time now);

  // Waits while the server starts or restarts.
  Ready wait_until_ready(Time deadline, const std::stop_token& stop);

  // For the thread that keeps it alive: something has happened, and what to do about it.
  void ask_for_list();
  void wake();  // the session may have ended
  // Blocks until there is something to do or `until` has come. True when a new list is wanted (which is
  // forgotten with that).
  bool wait_for_work(Time until, const Session& session, const std::stop_token& stop);
  void forget_wish_for_list();
  // A pause, cut short by the end of the session.
  void wait_for_end(Time until, const Session& session, const std::stop_token& stop);
  // A new list after this moment; false when none came in time.
  bool wait_for_new_list(Time deadline, const std::stop_token& stop);

 private:
  mutable std::mutex mutex_;
  std::condition_variable_any changed_;
  ServerStatus status_;
  bool was_ready_ = false;
  std::shared_ptr<Session> session_;
  std::shared_ptr<const ToolList> tools_ = std::make_shared<const ToolList>();
  Time listed_{};
  int lists_ = 0;
  bool list_wanted_ = false;
};

}  // namespace parley::orchestration::mcp
