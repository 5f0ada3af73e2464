#pragma once
// One WebSocket: answers commands in the order of command_queue.h, and sends the events of the conversations
// that it has opened, of the list, of the model and of the tools. Lives on the I/O thread, in the coroutine
// that runs it. The client's mistakes are error frames; a broken store is one too, and goes to the log.

#include <cstddef>
#include <exception>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <variant>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/cancellation_signal.hpp>

#include "app/http/web_socket.h"
#include "app/protocol/frames.h"
#include "app/server/command_queue.h"
#include "app/server/command_runner.h"
#include "app/server/model_watch.h"
#include "app/server/outbox.h"
#include "app/server/rate_limit.h"
#include "app/server/server.h"
#include "orchestration/turn/wakeup.h"

namespace parley::app::server {

// What all sessions share; outlives them.
struct SessionContext {
  boost::asio::any_io_executor executor;
  orchestration::turn::ConversationHub& hub;
  orchestration::turn::ModelSlot& model;
  ModelWatch& model_watch;
  orchestration::turn::ToolCatalogue* tools;  // nullptr: there are none
  protocol::HelloFrame hello;                 // its model is filled in for each session
  SessionLimits limits;
  std::function<void(const std::string&)> log;
};

class Session {
 public:
  Session(const SessionContext& context, http::WebSocket& socket);

  // Until the socket is closed; ends everything that it has started.
  boost::asio::awaitable<void> run();
  void close(http::CloseCode code, const std::string& reason) { socket_.close(code, reason); }

 private:
  // A coroutine that sends what comes from elsewhere. Its signal lives until it has ended.
  struct Pump {
    std::unique_ptr<orchestration::turn::Subscription> subscription;  // of a conversation
    boost::asio::cancellation_signal signal;
    bool closed = false;
  };
  using PumpPtr = std::shared_ptr<Pump>;  // the coroutine may outlive the entry in open_

  boost::asio::awaitable<void> serve();
  using Parsed = std::variant<protocol::ClientFrame, protocol::ErrorFrame>;  // the latter is its answer
  using PlacePtr = std::unique_ptr<CommandQueue::Place>;
  boost::asio::awaitable<void> handle(std::string text);
  boost::asio::awaitable<void> answer_in_turn(Parsed parsed, PlacePtr place);
  boost::asio::awaitable<void> answer(protocol::ClientFrame frame);
  boost::asio::awaitable<void> run_command(protocol::ClientFrame frame);
  boost::asio::awaitable<void> open(protocol::OpenCommand command);
  void close_conversation(const std::string& conversation);
  boost::asio::awaitable<void> send(protocol::ServerFrame frame);
  protocol::ErrorFrame failure_frame(const std::string& re, const std::exception& failure);

  void start(const PumpPtr& pump, boost::asio::awaitable<void> work);
  void stop(const PumpPtr& pump);
  void give_up(const std::exception_ptr& failure);
  boost::asio::awaitable<void> write_frames();
  boost::asio::awaitable<void> send_list_events();
  boost::asio::awaitable<void> send_model_events();
  boost::asio::awaitable<void> send_tool_events();
  boost::asio::awaitable<void> send_conversation_events(PumpPtr pump, std::string conversation);

  const SessionContext& context_;
  http::WebSocket& socket_;
  CommandRunner runner_;
  RateLimit rate_;
  Outbox outbox_;
  CommandQueue queue_;
  std::map<std::string, PumpPtr> open_;  // by conversation
  PumpPtr writer_, list_, model_, tools_;
  std::size_t num_running_ = 0;  // coroutines started here
  orchestration::turn::Wakeup ended_;
};

}  // namespace parley::app::server
