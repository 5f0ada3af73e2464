#include "app/server/session.h"

#include <chrono>
#include <exception>
#include <optional>
#include <utility>
#include <variant>

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/co_spawn.hpp>

#include "app/http/failure.h"
#include "app/protocol/parse_frame.h"
#include "app/protocol/write_frame.h"

namespace parley::app::server {

namespace asio = boost::asio;
namespace turn = orchestration::turn;
using protocol::ErrorCode;
using protocol::ErrorFrame;
using protocol::ServerFrame;

namespace {

ErrorFrame make_error(const std::string& re, ErrorCode code, std::string message) {
  ErrorFrame frame;
  frame.re = re;
  frame.code = code;
  frame.message = std::move(message);
  return frame;
}

orchestration::sessions::UnixMillis unix_millis_now() {
  const auto since_epoch = std::chrono::system_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::milliseconds>(since_epoch).count();
}

using Kind = CommandQueue::Kind;

template <typename... Commands>
bool is_one_of(const protocol::ClientFrame& frame) {
  return (std::holds_alternative<Commands>(frame) || ...);
}

Kind kind_of(const protocol::ClientFrame& frame) {
  if (is_one_of<protocol::StopCommand, protocol::DeleteCommand>(frame)) return Kind::ends;
  const bool looks = is_one_of<protocol::OpenCommand, protocol::CloseCommand, protocol::OlderCommand,
                               protocol::OutputCommand>(frame);
  return looks ? Kind::looks : Kind::changes;
}

}  // namespace

Session::Session(const SessionContext& context, http::WebSocket& socket)
    : context_(context),
      socket_(socket),
      runner_(context.hub, context.model, context.tools),
      rate_(context.limits.commands_per_second, RateLimit::Clock::now()),
      outbox_(context.executor, context.limits.max_queued_bytes),
      queue_(context.executor),
      writer_(std::make_shared<Pump>()),
      list_(std::make_shared<Pump>()),
      model_(std::make_shared<Pump>()),
      tools_(std::make_shared<Pump>()),
      ended_(context.executor) {}

asio::awaitable<void> Session::run() {
  std::exception_ptr failure;
  try {
    co_await serve();
  } catch (...) {
    failure = std::current_exception();
  }
  outbox_.close();
  co_await queue_.wait_until_empty();  // what has been taken is done; it may still open something
  for (auto& [conversation, pump] : open_) stop(pump);
  stop(list_);
  stop(model_);
  stop(tools_);
  while (num_running_ > 0) co_await ended_.wait();
  if (failure) std::rethrow_exception(failure);
}

asio::awaitable<void> Session::serve() {
  protocol::HelloFrame hello = context_.hello;
  hello.model = context_.model_watch.view();
  hello.time = unix_millis_now();
  start(writer_, write_frames());
  start(model_, send_model_events());
  co_await send(std::move(hello));
  start(list_, send_list_events());
  if (context_.tools != nullptr) start(tools_, send_tool_events());
  while (true) {
    auto text = co_await socket_.read();
    if (!text) co_return;
    co_await handle(std::move(*text));
  }
}

asio::awaitable<void> Session::handle(std::string text) {
  Parsed parsed = protocol::parse_frame(text, protocol::max_frame_bytes(context_.hello.limits));
  const bool allowed = rate_.take(RateLimit::Clock::now());
  CommandQueue::Entry entry;
  entry.num_bytes = text.size();
  if (const auto* frame = std::get_if<protocol::ClientFrame>(&parsed)) {
    entry.conversation = protocol::command_conversation(*frame);
    entry.kind = kind_of(*frame);
    if (!allowed)
      parsed = make_error(protocol::command_id(*frame), ErrorCode::rate_limited,
                          "Too many commands in a second. Wait a moment and send it again.");
  }
  text = std::string();
  co_await queue_.wait_until_below(context_.limits.max_commands, context_.limits.max_command_bytes);
  auto place = std::make_unique<CommandQueue::Place>(queue_, std::move(entry));
  start(std::make_shared<Pump>(), answer_in_turn(std::move(parsed), std::move(place)));
}

asio::awaitable<void> Session::answer_in_turn(Parsed parsed, PlacePtr place) {
  co_await place->wait_for_turn();
  if (auto* error = std::get_if<ErrorFrame>(&parsed)) {
    co_await send(std::move(*error));
  } else {
    co_await answer(std::get<protocol::ClientFrame>(std::move(parsed)));
  }
}

asio::awaitable<void> Session::answer(protocol::ClientFrame frame) {
  if (auto* command = std::get_if<protocol::OpenCommand>(&frame)) {
    co_await open(std::move(*command));
  } else if (const auto* closing = std::get_if<protocol::CloseCommand>(&frame)) {
    close_conversation(closing->conversation);
    co_await send(ack_frame(closing->id));
  } else {
    co_await run_command(std::move(frame));
  }
}

asio::awaitable<void> Session::run_command(protocol::ClientFrame frame) {
  const std::string id = protocol::command_id(frame);
  ServerFrame reply;
  try {
    reply = co_await runner_.run(std::move(frame));
  } catch (const std::exception& error) {
    reply = failure_frame(id, error);
  }
  co_await send(std::move(reply));
}

// What the store says is meant for people; of other failures only the log gets the words.
ErrorFrame Session::failure_frame(const std::string& re, const std::exception& failure) {
  context_.log(std::string("a command failed: ") + failure.what());
  const bool of_store = dynamic_cast<const orchestration::sessions::StoreError*>(&failure) != nullptr;
  const std::string why = of_store ? failure.what() : "it failed inside; its log says more. Try it again.";
  return make_error(re, ErrorCode::internal, "The server could not do this: " + why);
}

asio::awaitable<void> Session::open(protocol::OpenCommand command) {
  if (!open_.contains(command.conversation) && open_.size() >= context_.limits.max_open_conversations) {
    co_await send(make_error(command.id, ErrorCode::invalid,
                             "Too many conversations are open on this connection. Close one first."));
    co_return;
  }
  close_conversation(command.conversation);
  turn::CommandResult<std::unique_ptr<turn::Subscription>> result;
  std::optional<ErrorFrame> failure;
  try {
    result = co_await context_.hub.subscribe(command.conversation, command.have);
  } catch (const std::exception& error) {
    failure = failure_frame(command.id, error);
  }
  if (failure) {
    co_await send(std::move(*failure));
  } else if (const auto* error = std::get_if<turn::CommandError>(&result)) {
    co_await send(error_frame(command.id, *error));
  } else {
    auto pump = std::make_shared<Pump>();
    pump->subscription = std::move(std::get<std::unique_ptr<turn::Subscription>>(result));
    open_[command.conversation] = pump;
    co_await send(ack_frame(command.id));
    start(pump, send_conversation_events(pump, command.conversation));
  }
}

void Session::close_conversation(const std::string& conversation) {
  const auto pump = open_.find(conversation);
  if (pump == open_.end()) return;
  stop(pump->second);
  open_.erase(pump);
}

asio::awaitable<void> Session::send(ServerFrame frame) {
  std::string text = protocol::write_frame(frame);
  co_await outbox_.wait_for_room();
  outbox_.put(std::move(text));
}

void Session::start(const PumpPtr& pump, asio::awaitable<void> work) {
  ++num_running_;
  auto when_ended = [this, pump](const std::exception_ptr& failure) {
    if (failure && !pump->closed) give_up(failure);  // a stopped one ends by an exception
    --num_running_;
    ended_.notify();
  };
  asio::co_spawn(context_.executor, std::move(work),
                 asio::bind_cancellation_slot(pump->signal.slot(), when_ended));
}

// Without one of its coroutines a session would keep things from its client: it connects again.
void Session::give_up(const std::exception_ptr& failure) {
  context_.log("a connection failed: " + http::words_of(failure));
  outbox_.close();
  socket_.close(http::CloseCode::internal_error, "the server failed inside");
}

void Session::stop(const PumpPtr& pump) {
  pump->closed = true;
  pump->signal.emit(asio::cancellation_type::terminal);
}

asio::awaitable<void> Session::write_frames() {
  while (true) {
    const auto frame = co_await outbox_.pop();
    if (!frame) co_return;
    const bool taken = co_await socket_.write(*frame);
    if (!taken) break;
  }
  outbox_.close();
  socket_.close(http::CloseCode::going_away, "the client does not read");
}

asio::awaitable<void> Session::send_list_events() {
  const auto list = context_.hub.subscribe_list();
  while (!list_->closed) {
    auto changed = co_await list->next();
    if (changed.empty()) break;
    for (auto& summary : changed) {
      protocol::ListedFrame frame;
      frame.item = std::move(summary);
      co_await send(std::move(frame));
    }
  }
}

asio::awaitable<void> Session::send_model_events() {
  std::uint64_t seen = context_.model_watch.version();
  while (!model_->closed) {
    // Compared each time: what changed during the wait for room has been notified already.
    while (seen == context_.model_watch.version() && !model_->closed) co_await context_.model_watch.changed();
    co_await outbox_.wait_for_room();
    if (model_->closed) break;
    seen = context_.model_watch.version();
    protocol::ModelFrame frame;
    frame.model = context_.model_watch.view();
    outbox_.put(protocol::write_frame(frame));
  }
}

asio::awaitable<void> Session::send_tool_events() {
  turn::ToolCatalogue& tools = *context_.tools;
  std::uint64_t seen = tools.version();
  while (!tools_->closed) {
    while (seen == tools.version() && !tools_->closed) co_await tools.changed();
    co_await outbox_.wait_for_room();
    if (tools_->closed) break;
    seen = tools.version();
    outbox_.put(protocol::write_frame(protocol::ToolsChangedFrame()));
  }
}

asio::awaitable<void> Session::send_conversation_events(PumpPtr pump, std::string conversation) {
  std::optional<ErrorFrame> failure;
  try {
    while (!pump->closed) {
      auto events = co_await pump->subscription->next();
      if (events.empty()) break;
      for (auto& event : events) {
        co_await outbox_.wait_for_room();
        if (pump->closed) break;  // what was opened again must not get old events behind its `ack`
        protocol::ConversationEventFrame frame;
        frame.conversation = conversation;
        frame.event = std::move(event);
        outbox_.put(protocol::write_frame(frame));
      }
    }
  } catch (const std::exception& error) {
    if (!pump->closed) failure = failure_frame("", error);
  }
  if (!failure) co_return;
  open_.erase(conversation);
  co_await send(std::move(*failure));
}

}  // namespace parley::app::server
