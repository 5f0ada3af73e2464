#pragma once
// Answers of commands that were applied, by their ids, so that a client that repeats a command after a
// reconnect gets the same answer and nothing happens twice. Keeps the newest; what must hold across restarts
// is the hub's and the store's. I/O thread; never fails.

#include <cstddef>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <variant>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>

#include "orchestration/turn/wakeup.h"

namespace parley::app::server {

class CommandLog {
 public:
  CommandLog(const boost::asio::any_io_executor& executor, std::size_t max_answers)
      : max_answers_(max_answers), changed_(executor) {}

  struct Fresh {};     // the caller applies it, then calls finish() or abandon()
  struct Conflict {};  // the id belongs to another command
  using Lookup = std::variant<Fresh, Conflict, std::string>;  // the answer it had

  // Waits while the same command is being applied for another connection.
  boost::asio::awaitable<Lookup> begin(std::string id, std::string text);
  void finish(const std::string& id, std::string answer);
  void abandon(const std::string& id);  // it was not applied

 private:
  struct Entry {
    std::size_t text_hash = 0;
    std::optional<std::string> answer;  // none: being applied
  };

  std::size_t max_answers_;
  std::map<std::string, Entry> entries_;
  std::deque<std::string> finished_;  // oldest first
  orchestration::turn::Wakeup changed_;
};

}  // namespace parley::app::server
