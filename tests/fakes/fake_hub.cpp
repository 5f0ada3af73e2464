#include "tests/fakes/fake_hub.h"

#include <boost/asio/redirect_error.hpp>
#include <boost/asio/use_awaitable.hpp>

namespace parley::tests::fakes {

namespace asio = boost::asio;
namespace sessions = orchestration::sessions;
namespace turn = orchestration::turn;

class FakeHub::FakeSubscription : public turn::Subscription {
 public:
  FakeSubscription(FakeHub& hub, std::shared_ptr<Feed> feed) : hub_(hub), feed_(std::move(feed)) {
    ++hub_.num_subscriptions;
  }
  ~FakeSubscription() override { --hub_.num_subscriptions; }

  asio::awaitable<std::vector<Event>> next() override {
    while (feed_->events.empty()) co_await feed_->changed.wait();
    co_return std::exchange(feed_->events, std::vector<Event>());
  }

 private:
  FakeHub& hub_;
  std::shared_ptr<Feed> feed_;
};

class FakeHub::FakeListSubscription : public turn::ListSubscription {
 public:
  explicit FakeListSubscription(FakeHub& hub) : hub_(hub) {}

  asio::awaitable<std::vector<turn::ConversationSummary>> next() override {
    while (hub_.list_changes_.empty()) co_await hub_.list_changed_.wait();
    if (!hub_.list_failure.empty()) throw sessions::StoreError(hub_.list_failure);
    co_return std::exchange(hub_.list_changes_, std::vector<turn::ConversationSummary>());
  }

 private:
  FakeHub& hub_;
};

std::shared_ptr<FakeHub::Feed> FakeHub::feed(const std::string& conversation) {
  auto& feed = feeds_[conversation];
  if (feed == nullptr) feed = std::make_shared<Feed>(executor_);
  return feed;
}

void FakeHub::tell(const std::string& conversation, Event event) {
  feed(conversation)->events.push_back(std::move(event));
  feed(conversation)->changed.notify();
}

void FakeHub::tell_list(turn::ConversationSummary summary) {
  list_changes_.push_back(std::move(summary));
  list_changed_.notify();
}

std::size_t FakeHub::num_untold(const std::string& conversation) const {
  const auto found = feeds_.find(conversation);
  return found == feeds_.end() ? 0 : found->second->events.size();
}

asio::awaitable<FakeHub::Refusal> FakeHub::note(std::string command) {
  const auto own = delays.find(command.substr(0, command.find(' ')));
  const std::chrono::milliseconds pause = own == delays.end() ? delay : own->second;
  commands.push_back(std::move(command));
  if (pause.count() > 0) {
    boost::system::error_code ignored;
    asio::steady_timer timer(executor_, pause);
    co_await timer.async_wait(asio::redirect_error(asio::use_awaitable, ignored));
  }
  if (!failure.empty()) throw sessions::StoreError(failure);
  co_return refusal;
}

asio::awaitable<FakeHub::Refusal> FakeHub::note(std::string command, std::string id) {
  command_ids.push_back(std::move(id));
  return note(std::move(command));
}

asio::awaitable<sessions::ConversationPage> FakeHub::list(
    std::optional<std::pair<sessions::UnixMillis, std::string>> before, std::size_t limit) {
  const std::string from = before ? before->second : "-";
  std::string command = "list " + from + " " + std::to_string(limit);
  co_await note(std::move(command));
  co_return page;
}

FakeHub::Result<turn::ConversationSummary> FakeHub::create(std::string command, std::string conversation,
                                                           std::string title) {
  auto error = co_await note("create " + conversation + " " + title, command);
  if (error) co_return *error;
  co_return turn::ConversationSummary();
}

FakeHub::Result<turn::Done> FakeHub::rename(std::string command, std::string conversation,
                                            std::string title) {
  auto error = co_await note("rename " + conversation + " " + title, command);
  if (error) co_return *error;
  co_return turn::Done();
}

FakeHub::Result<turn::Done> FakeHub::set_deleted(std::string command, std::string conversation,
                                                 bool deleted) {
  std::string words = (deleted ? "delete " : "undelete ") + conversation;
  auto error = co_await note(std::move(words), command);
  if (error) co_return *error;
  co_return turn::Done();
}

FakeHub::Result<turn::Done> FakeHub::change_settings(turn::SettingsCommand command) {
  auto error = co_await note("settings " + command.conversation + " " + command.system_prompt.value_or("-"),
                             command.id);
  if (error) co_return *error;
  co_return turn::Done();
}

FakeHub::Result<std::string> FakeHub::send(turn::SendCommand command) {
  auto error = co_await note("send " + command.conversation + " " + command.text, command.id);
  if (error) co_return *error;
  co_return std::string("answer-of-") + command.id;
}

FakeHub::Result<std::string> FakeHub::regenerate(std::string command, std::string conversation,
                                                 std::string message) {
  auto error = co_await note("regenerate " + conversation + " " + message, command);
  if (error) co_return *error;
  co_return "again-" + command;
}

FakeHub::Result<turn::Done> FakeHub::continue_answer(std::string command, std::string conversation,
                                                     std::string message) {
  auto error = co_await note("continue " + conversation + " " + message, command);
  if (error) co_return *error;
  co_return turn::Done();
}

FakeHub::Result<turn::Done> FakeHub::stop(std::string command, std::string conversation) {
  auto error = co_await note("stop " + conversation, command);
  if (error) co_return *error;
  co_return turn::Done();
}

FakeHub::Result<turn::Done> FakeHub::decide(turn::DecideCommand command) {
  std::string decision = std::to_string(static_cast<int>(command.decision));
  if (!command.definition.empty()) decision += " " + command.definition;
  auto error = co_await note(
      "decide " + command.conversation + " " + command.message + " " + command.call + " " + decision,
      command.id);
  if (error) co_return *error;
  co_return turn::Done();
}

FakeHub::Result<turn::Done> FakeHub::cancel_call(turn::CancelCallCommand command) {
  auto error = co_await note(
      "cancel_call " + command.conversation + " " + command.message + " " + command.call, command.id);
  if (error) co_return *error;
  co_return turn::Done();
}

FakeHub::Result<turn::Done> FakeHub::forget_approval(turn::ForgetApprovalCommand command) {
  auto error = co_await note("forget_approval " + command.tool, command.id);
  if (error) co_return *error;
  co_return turn::Done();
}

FakeHub::Result<sessions::OutputPiece> FakeHub::read_output(turn::OutputRequest request) {
  auto error = co_await note("output " + request.conversation + " " + request.message + " " + request.call +
                             " " + std::to_string(request.offset));
  if (error) co_return *error;
  co_return output;
}

asio::awaitable<std::optional<orchestration::calls::CallImage>> FakeHub::read_image(std::string call,
                                                                                    std::size_t number) {
  co_await note("image " + call + " " + std::to_string(number));
  co_return image;
}

FakeHub::Result<orchestration::tools::AuditPage> FakeHub::read_audit(turn::AuditRequest request) {
  const std::string before = request.before ? std::to_string(*request.before) : "-";
  auto error = co_await note("audit " + before + " " + std::to_string(request.limit));
  if (error) co_return *error;
  co_return audit;
}

FakeHub::Result<std::unique_ptr<turn::Subscription>> FakeHub::subscribe(
    std::string conversation, std::optional<turn::ClientPosition> position) {
  auto error = co_await note("subscribe " + conversation);
  if (error) co_return *error;
  have = position;
  co_return std::make_unique<FakeSubscription>(*this, feed(conversation));
}

FakeHub::Result<sessions::MessagePage> FakeHub::older(std::string conversation, std::string before_message,
                                                      std::size_t limit) {
  auto error = co_await note("older " + conversation + " " + before_message + " " + std::to_string(limit));
  if (error) co_return *error;
  co_return messages;
}

std::unique_ptr<turn::ListSubscription> FakeHub::subscribe_list() {
  return std::make_unique<FakeListSubscription>(*this);
}

asio::awaitable<void> FakeHub::shut_down(std::chrono::milliseconds) { co_return; }

}  // namespace parley::tests::fakes
