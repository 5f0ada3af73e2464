#include "app/server/command_runner.h"

#include <stdexcept>
#include <type_traits>
#include <utility>
#include <variant>

#include "app/server/model_watch.h"

namespace parley::app::server {

namespace asio = boost::asio;
namespace turn = orchestration::turn;
using protocol::ErrorCode;
using protocol::ServerFrame;

namespace {

template <typename Command>
constexpr bool kOfTheSocket =
    std::is_same_v<Command, protocol::OpenCommand> || std::is_same_v<Command, protocol::CloseCommand>;

ErrorCode code_of(turn::CommandError::Code code) {
  switch (code) {
    case turn::CommandError::Code::not_found:
      return ErrorCode::not_found;
    case turn::CommandError::Code::busy:
      return ErrorCode::busy;
    case turn::CommandError::Code::invalid:
      return ErrorCode::invalid;
    case turn::CommandError::Code::too_long:
      return ErrorCode::too_long;
    case turn::CommandError::Code::conflict:
      return ErrorCode::conflict;
    case turn::CommandError::Code::unavailable:
      break;
  }
  return ErrorCode::unavailable;
}

template <typename T>
ServerFrame ack_or_error(const std::string& re, const turn::CommandResult<T>& result) {
  if (const auto* error = std::get_if<turn::CommandError>(&result)) return error_frame(re, *error);
  return ack_frame(re);
}

ServerFrame ack_with_message(const std::string& re, const turn::CommandResult<std::string>& result) {
  if (const auto* error = std::get_if<turn::CommandError>(&result)) return error_frame(re, *error);
  return ack_frame(re, std::get<std::string>(result));
}

}  // namespace

protocol::AckFrame ack_frame(const std::string& re, std::string message) {
  protocol::AckFrame frame;
  frame.re = re;
  frame.message = std::move(message);
  return frame;
}

protocol::ErrorFrame error_frame(const std::string& re, const turn::CommandError& error) {
  protocol::ErrorFrame frame;
  frame.re = re;
  frame.code = code_of(error.code);
  frame.message = error.message;
  return frame;
}

asio::awaitable<ServerFrame> CommandRunner::run(protocol::ClientFrame frame) {
  const auto start = [this](auto& command) -> Answer {
    if constexpr (kOfTheSocket<std::remove_reference_t<decltype(command)>>) {
      throw std::logic_error("`open` and `close` are the socket's own commands");
    } else {
      return run_one(std::move(command));
    }
  };
  Answer answer = std::visit(start, frame);
  co_return co_await std::move(answer);
}

asio::awaitable<ServerFrame> CommandRunner::run_one(protocol::ListCommand command) {
  auto page = co_await hub_.list(command.before, command.limit);
  protocol::ConversationsFrame frame;
  frame.re = command.id;
  frame.more = page.more;
  for (auto& conversation : page.items) {
    turn::ConversationSummary summary;
    summary.answering = hub_.answering(conversation.id);
    summary.conversation = std::move(conversation);
    frame.items.push_back(std::move(summary));
  }
  co_return frame;
}

asio::awaitable<ServerFrame> CommandRunner::run_one(protocol::CreateCommand command) {
  const auto result = co_await hub_.create(command.id, command.conversation, command.title);
  co_return ack_or_error(command.id, result);
}

asio::awaitable<ServerFrame> CommandRunner::run_one(protocol::RenameCommand command) {
  const auto result = co_await hub_.rename(command.id, command.conversation, command.title);
  co_return ack_or_error(command.id, result);
}

asio::awaitable<ServerFrame> CommandRunner::run_one(protocol::DeleteCommand command) {
  const auto result = co_await hub_.set_deleted(command.id, command.conversation, /*deleted=*/true);
  co_return ack_or_error(command.id, result);
}

asio::awaitable<ServerFrame> CommandRunner::run_one(protocol::UndeleteCommand command) {
  const auto result = co_await hub_.set_deleted(command.id, command.conversation, /*deleted=*/false);
  co_return ack_or_error(command.id, result);
}

asio::awaitable<ServerFrame> CommandRunner::run_one(protocol::OlderCommand command) {
  auto result = co_await hub_.older(command.conversation, command.before, command.limit);
  if (const auto* error = std::get_if<turn::CommandError>(&result)) co_return error_frame(command.id, *error);
  auto& page = std::get<orchestration::sessions::MessagePage>(result);
  protocol::MessagesFrame frame;
  frame.re = command.id;
  frame.conversation = command.conversation;
  frame.items = std::move(page.items);
  frame.more = page.more;
  co_return frame;
}

asio::awaitable<ServerFrame> CommandRunner::run_one(protocol::SendCommand command) {
  turn::SendCommand send;
  send.id = command.id;
  send.conversation = std::move(command.conversation);
  send.text = std::move(command.text);
  send.parent = std::move(command.parent);
  const auto result = co_await hub_.send(std::move(send));
  co_return ack_with_message(command.id, result);
}

asio::awaitable<ServerFrame> CommandRunner::run_one(protocol::StopCommand command) {
  const auto result = co_await hub_.stop(command.id, command.conversation);
  co_return ack_or_error(command.id, result);
}

asio::awaitable<ServerFrame> CommandRunner::run_one(protocol::RegenerateCommand command) {
  const auto result = co_await hub_.regenerate(command.id, command.conversation, command.message);
  co_return ack_with_message(command.id, result);
}

asio::awaitable<ServerFrame> CommandRunner::run_one(protocol::ContinueCommand command) {
  const auto result = co_await hub_.continue_answer(command.id, command.conversation, command.message);
  co_return ack_or_error(command.id, result);
}

asio::awaitable<ServerFrame> CommandRunner::run_one(protocol::SettingsCommand command) {
  command.change.id = command.id;
  const auto result = co_await hub_.change_settings(std::move(command.change));
  co_return ack_or_error(command.id, result);
}

asio::awaitable<ServerFrame> CommandRunner::run_one(protocol::ModelsCommand command) {
  protocol::ModelsFrame frame;
  frame.re = command.id;
  frame.items.push_back(view_of(model_));
  co_return frame;
}

asio::awaitable<ServerFrame> CommandRunner::run_one(protocol::ToolsCommand command) {
  protocol::ToolsFrame frame;
  frame.re = command.id;
  if (tools_ != nullptr) frame.tools = tools_->snapshot();
  frame.profile = model_.info().tool_profile;
  frame.approvals = hub_.approvals();
  co_return frame;
}

asio::awaitable<ServerFrame> CommandRunner::run_one(protocol::DecideCommand command) {
  command.decision.id = command.id;
  const auto result = co_await hub_.decide(std::move(command.decision));
  co_return ack_or_error(command.id, result);
}

asio::awaitable<ServerFrame> CommandRunner::run_one(protocol::CancelCallCommand command) {
  command.call.id = command.id;
  const auto result = co_await hub_.cancel_call(std::move(command.call));
  co_return ack_or_error(command.id, result);
}

asio::awaitable<ServerFrame> CommandRunner::run_one(protocol::ForgetApprovalCommand command) {
  turn::ForgetApprovalCommand forget;
  forget.id = command.id;
  forget.tool = std::move(command.tool);
  const auto result = co_await hub_.forget_approval(std::move(forget));
  co_return ack_or_error(command.id, result);
}

asio::awaitable<ServerFrame> CommandRunner::run_one(protocol::OutputCommand command) {
  auto result = co_await hub_.read_output(std::move(command.request));
  if (const auto* error = std::get_if<turn::CommandError>(&result)) co_return error_frame(command.id, *error);
  protocol::OutputFrame frame;
  frame.re = command.id;
  frame.piece = std::move(std::get<orchestration::sessions::OutputPiece>(result));
  co_return frame;
}

asio::awaitable<ServerFrame> CommandRunner::run_one(protocol::AuditCommand command) {
  auto result = co_await hub_.read_audit(command.request);
  if (const auto* error = std::get_if<turn::CommandError>(&result)) co_return error_frame(command.id, *error);
  protocol::AuditFrame frame;
  frame.re = command.id;
  frame.page = std::move(std::get<orchestration::tools::AuditPage>(result));
  co_return frame;
}

}  // namespace parley::app::server
