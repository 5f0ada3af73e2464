#pragma once
// The order of a socket's commands: one after another, as they came. Only what ends an answer, which may take
// seconds, is waited for by nothing but later commands of the same conversation, and of those not by what
// merely looks. I/O thread; the queue outlives the places in it. Never fails.

#include <cstddef>
#include <cstdint>
#include <list>
#include <string>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>

#include "orchestration/turn/wakeup.h"

namespace parley::app::server {

class CommandQueue {
 public:
  enum class Kind : std::uint8_t { looks, changes, ends };

  // What is to be known of a command. `conversation`: empty: it is about none.
  struct Entry {
    std::string conversation;
    Kind kind = Kind::changes;
    std::size_t num_bytes = 0;
  };

  // A command's, from when it came until it has been answered; given back by the destructor.
  class Place {
   public:
    Place(CommandQueue& queue, Entry entry);
    ~Place();
    Place(const Place&) = delete;
    Place& operator=(const Place&) = delete;

    boost::asio::awaitable<void> wait_for_turn();

   private:
    CommandQueue& queue_;
    const Entry entry_;
  };

  explicit CommandQueue(const boost::asio::any_io_executor& executor) : changed_(executor) {}

  // Until fewer commands, of fewer bytes, have no answer yet.
  boost::asio::awaitable<void> wait_until_below(std::size_t num_commands, std::size_t num_bytes);
  boost::asio::awaitable<void> wait_until_empty();

 private:
  bool is_turn_of(const Entry& entry) const;

  std::list<const Entry*> entries_;  // in the order they came
  std::size_t num_bytes_ = 0;
  orchestration::turn::Wakeup changed_;
};

}  // namespace parley::app::server
