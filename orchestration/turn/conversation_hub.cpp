#include "orchestration/turn/conversation_hub.h"

#include <algorithm>
#include <cstdint>
#include <utility>

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/use_awaitable.hpp>

#include "orchestration/turn/answer_commands.h"
#include "orchestration/turn/approval_commands.h"
#include "orchestration/turn/call_commands.h"
#include "orchestration/turn/chat_read_ahead.h"
#include "orchestration/turn/command_errors.h"
#include "orchestration/turn/conversation_commands.h"
#include "orchestration/turn/hub_core.h"
#include "orchestration/turn/run_blocking.h"
#include "orchestration/turn/running_turn.h"
#include "orchestration/turn/subscription.h"
#include "orchestration/turn/tool_desk.h"

namespace parley::orchestration::turn {
namespace {

namespace asio = boost::asio;
using Clock = std::chrono::steady_clock;
using sessions::ConversationPage;
using sessions::MessagePage;

constexpr std::size_t kMaxPage = 1000;
constexpr std::chrono::seconds kStopGrace{5};    // for stopped turns to save what they have
constexpr std::chrono::milliseconds kLook{100};  // while turns have time to end

asio::awaitable<ConversationPage> read_list(
    CorePtr core, std::optional<std::pair<sessions::UnixMillis, std::string>> before, std::size_t limit) {
  if (core->closed) co_return ConversationPage();
  const HubCore::Activity activity(core);
  auto work = [&] { return core->store.list(before, std::min(limit, kMaxPage)); };
  co_return co_await run_blocking(core->store_thread, work);
}

// None: there is no such message.
std::optional<MessagePage> read_older(sessions::SessionStore& store, const std::string& conversation,
                                      const std::string& before, std::size_t limit) {
  const auto message = store.find_message(conversation, before);
  if (!message) return std::nullopt;
  return store.path(conversation, message->parent, std::min(limit, kMaxPage));
}

asio::awaitable<CommandResult<MessagePage>> read_older_page(CorePtr core, std::string conversation,
                                                            std::string before, std::size_t limit) {
  if (core->closed) co_return server_is_shutting_down();
  const HubCore::Activity activity(core);
  auto work = [&] { return read_older(core->store, conversation, before, limit); };
  std::optional<MessagePage> page = co_await run_blocking(core->store_thread, work);
  if (!page) co_return no_such_message();
  make_presentable(*page);
  co_return std::move(*page);
}

asio::awaitable<CommandResult<std::unique_ptr<Subscription>>> open_subscription(
    CorePtr core, std::string conversation, std::optional<ClientPosition> have) {
  if (core->closed) co_return server_is_shutting_down();
  const HubCore::Activity activity(core);
  LivePtr live = co_await HubCore::open(core, conversation);
  if (!live) co_return no_such_conversation();
  co_return make_subscription(core, live, have);
}

asio::awaitable<CommandResult<tools::AuditPage>> read_log_of_calls(CorePtr core, AuditRequest request) {
  if (core->closed) co_return server_is_shutting_down();
  const HubCore::Activity activity(core);
  if (core->options.tools == nullptr) co_return tools::AuditPage();
  tools::AuditPage page = co_await core->options.tools->read_audit(request.before, request.limit);
  if (!page.problem.empty()) co_return command_error(CommandError::Code::unavailable, page.problem);
  co_return std::move(page);
}

enum class Which : std::uint8_t { those_that_wait, all };

void stop_turns(const HubCore& core, Which which) {
  for (const auto& [id, live] : core.conversations()) {
    const bool stops = live->turn && (which == Which::all || live->turn->only_waits());
    if (stops) live->turn->request_stop(sessions::MessageStatus::interrupted);
  }
}

asio::awaitable<void> save_all_unsaved(CorePtr core) {
  std::vector<LivePtr> unsaved;
  for (const auto& [id, live] : core->conversations()) {
    if (live->unsaved) unsaved.push_back(live);
  }
  for (const LivePtr& live : unsaved) co_await save_unsaved_at_last(core, live);
}

asio::awaitable<void> drain(CorePtr core, std::chrono::milliseconds patience) {
  core->closing = true;
  core->drain_until = std::max(core->drain_until, Clock::now() + patience);
  while (core->activities() > 0 && Clock::now() < core->drain_until) {
    stop_turns(*core, Which::those_that_wait);  // each time: a call beside one that waits may have ended
    co_await core->activity_ended.wait_until(std::min(core->drain_until, Clock::now() + kLook));
  }
  const Clock::time_point give_up = Clock::now() + kStopGrace;
  while (core->activities() > 0 && Clock::now() < give_up) {
    stop_turns(*core, Which::all);  // each time: a command that was under way may have begun another one
    co_await core->activity_ended.wait_until(give_up);
  }
  if (core->activities() == 0) co_await save_all_unsaved(core);  // else the store hangs, and this would too
  core->close();
}

template <typename T>
asio::awaitable<CommandResult<T>> run_command(CorePtr core, asio::awaitable<CommandResult<T>> body) {
  if (core->closed) co_return server_is_shutting_down();
  const HubCore::Activity activity(core);
  co_return co_await std::move(body);
}

class Hub : public ConversationHub {
 public:
  explicit Hub(CorePtr core) : core_(std::move(core)) {}
  ~Hub() override { core_->close(); }

  const std::string& instance() const override { return core_->instance; }

  asio::awaitable<ConversationPage> list(std::optional<std::pair<sessions::UnixMillis, std::string>> before,
                                         std::size_t limit) override {
    return read_list(core_, std::move(before), limit);
  }
  bool answering(const std::string& conversation) const override {
    const LivePtr live = core_->find(conversation);
    return live && live->turn;
  }

  asio::awaitable<CommandResult<ConversationSummary>> create(std::string command, std::string conversation,
                                                             std::string title) override {
    return whole(create_conversation(core_, std::move(command), std::move(conversation), std::move(title)));
  }
  asio::awaitable<CommandResult<Done>> rename(std::string command, std::string conversation,
                                              std::string title) override {
    return whole(rename_conversation(core_, std::move(command), std::move(conversation), std::move(title)));
  }
  asio::awaitable<CommandResult<Done>> set_deleted(std::string command, std::string conversation,
                                                   bool deleted) override {
    return whole(deleted ? delete_conversation(core_, std::move(command), std::move(conversation))
                         : restore_conversation(core_, std::move(command), std::move(conversation)));
  }
  asio::awaitable<CommandResult<Done>> change_settings(SettingsCommand change) override {
    return whole(change_chat_settings(core_, std::move(change)));
  }
  asio::awaitable<CommandResult<std::string>> send(SendCommand message) override {
    return whole(send_message(core_, std::move(message)));
  }
  asio::awaitable<CommandResult<std::string>> regenerate(std::string command, std::string conversation,
                                                         std::string message) override {
    return whole(regenerate_answer(core_, std::move(command), std::move(conversation), std::move(message)));
  }
  asio::awaitable<CommandResult<Done>> continue_answer(std::string command, std::string conversation,
                                                       std::string message) override {
    return whole(
        turn::continue_answer(core_, std::move(command), std::move(conversation), std::move(message)));
  }
  asio::awaitable<CommandResult<Done>> stop(std::string command, std::string conversation) override {
    return whole(stop_answer(core_, std::move(command), std::move(conversation)));
  }

  asio::awaitable<CommandResult<Done>> decide(DecideCommand command) override {
    return whole(decide_call(core_, std::move(command)));
  }
  asio::awaitable<CommandResult<Done>> cancel_call(CancelCallCommand command) override {
    return whole(turn::cancel_call(core_, std::move(command)));
  }
  std::vector<ToolApproval> approvals() const override {
    return core_->options.tools == nullptr ? std::vector<ToolApproval>() : core_->options.tools->approvals();
  }
  asio::awaitable<CommandResult<Done>> forget_approval(ForgetApprovalCommand command) override {
    return whole(turn::forget_approval(core_, std::move(command)));
  }
  asio::awaitable<CommandResult<sessions::OutputPiece>> read_output(OutputRequest request) override {
    return read_call_output(core_, std::move(request));
  }
  asio::awaitable<std::optional<calls::CallImage>> read_image(std::string call, std::size_t number) override {
    return read_call_image(core_, std::move(call), number);
  }

  asio::awaitable<CommandResult<tools::AuditPage>> read_audit(AuditRequest request) override {
    return read_log_of_calls(core_, request);
  }

  asio::awaitable<CommandResult<std::unique_ptr<Subscription>>> subscribe(
      std::string conversation, std::optional<ClientPosition> have) override {
    return open_subscription(core_, std::move(conversation), std::move(have));
  }
  asio::awaitable<CommandResult<MessagePage>> older(std::string conversation, std::string before_message,
                                                    std::size_t limit) override {
    return read_older_page(core_, std::move(conversation), std::move(before_message), limit);
  }
  std::unique_ptr<ListSubscription> subscribe_list() override { return core_->list.subscribe(); }

  void read_ahead() override { read_ahead_in_open_chats(core_); }

  asio::awaitable<void> shut_down(std::chrono::milliseconds patience) override {
    return drain(core_, patience);
  }

 private:
  // A command that has begun runs to its end, also when its caller is cancelled: it may have changed the
  // store.
  template <typename T>
  asio::awaitable<CommandResult<T>> whole(asio::awaitable<CommandResult<T>> body) {
    auto command = run_command(core_, std::move(body));
    auto token = asio::bind_cancellation_slot(asio::cancellation_slot(), asio::use_awaitable);
    return asio::co_spawn(core_->executor, std::move(command), token);
  }

  CorePtr core_;  // shared with turns and subscriptions
};

}  // namespace

std::unique_ptr<ConversationHub> make_conversation_hub(sessions::SessionStore& store,
                                                       asio::thread_pool& store_thread, ChatModel& model,
                                                       asio::any_io_executor executor, HubOptions options) {
  auto core = std::make_shared<HubCore>(store, store_thread, model, std::move(executor), std::move(options));
  return std::make_unique<Hub>(std::move(core));
}

}  // namespace parley::orchestration::turn
