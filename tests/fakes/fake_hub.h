#pragma once
// A hub that notes its commands, answers what the test has set, and tells what the test lets it tell. I/O
// thread.

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/steady_timer.hpp>

#include "orchestration/turn/conversation_hub.h"
#include "orchestration/turn/wakeup.h"

namespace parley::tests::fakes {

class FakeHub : public orchestration::turn::ConversationHub {
 public:
  template <typename T>
  using Result = boost::asio::awaitable<orchestration::turn::CommandResult<T>>;
  using Done = orchestration::turn::Done;
  using Event = orchestration::turn::ConversationEvent;

  explicit FakeHub(boost::asio::any_io_executor executor)
      : executor_(std::move(executor)), list_changed_(executor_) {}

  // What the test sets and reads.
  std::vector<std::string> commands;                         // "rename <conversation> <title>"
  std::vector<std::string> command_ids;                      // of those that change something
  std::optional<orchestration::turn::CommandError> refusal;  // the answer of every command
  std::string failure;                                       // not empty: a StoreError with these words
  std::string list_failure;                                  // the same for the next change of the list
  std::chrono::milliseconds delay{0};                        // before each command
  std::map<std::string, std::chrono::milliseconds> delays;   // of some instead: "stop"
  orchestration::sessions::ConversationPage page;
  orchestration::sessions::MessagePage messages;
  orchestration::sessions::OutputPiece output;
  std::optional<orchestration::calls::CallImage> image;
  orchestration::tools::AuditPage audit;
  std::vector<orchestration::turn::ToolApproval> allowed;
  std::optional<orchestration::turn::ClientPosition> have;  // of the last subscribe
  int num_subscriptions = 0;                                // alive
  int num_read_aheads = 0;

  void tell(const std::string& conversation, Event event);
  void tell_list(orchestration::turn::ConversationSummary summary);
  std::size_t num_untold(const std::string& conversation) const;  // events that no subscription has taken

  const std::string& instance() const override { return instance_; }
  boost::asio::awaitable<orchestration::sessions::ConversationPage> list(
      std::optional<std::pair<orchestration::sessions::UnixMillis, std::string>> before,
      std::size_t limit) override;
  bool answering(const std::string& conversation) const override { return conversation == "answering"; }
  Result<orchestration::turn::ConversationSummary> create(std::string command, std::string conversation,
                                                          std::string title) override;
  Result<Done> rename(std::string command, std::string conversation, std::string title) override;
  Result<Done> set_deleted(std::string command, std::string conversation, bool deleted) override;
  Result<Done> change_settings(orchestration::turn::SettingsCommand command) override;
  Result<std::string> send(orchestration::turn::SendCommand command) override;
  Result<std::string> regenerate(std::string command, std::string conversation, std::string message) override;
  Result<Done> continue_answer(std::string command, std::string conversation, std::string message) override;
  Result<Done> stop(std::string command, std::string conversation) override;
  Result<Done> decide(orchestration::turn::DecideCommand command) override;
  Result<Done> cancel_call(orchestration::turn::CancelCallCommand command) override;
  std::vector<orchestration::turn::ToolApproval> approvals() const override { return allowed; }
  Result<Done> forget_approval(orchestration::turn::ForgetApprovalCommand command) override;
  Result<orchestration::sessions::OutputPiece> read_output(
      orchestration::turn::OutputRequest request) override;
  boost::asio::awaitable<std::optional<orchestration::calls::CallImage>> read_image(
      std::string call, std::size_t number) override;
  Result<orchestration::tools::AuditPage> read_audit(orchestration::turn::AuditRequest request) override;
  Result<std::unique_ptr<orchestration::turn::Subscription>> subscribe(
      std::string conversation, std::optional<orchestration::turn::ClientPosition> position) override;
  Result<orchestration::sessions::MessagePage> older(std::string conversation, std::string before_message,
                                                     std::size_t limit) override;
  std::unique_ptr<orchestration::turn::ListSubscription> subscribe_list() override;
  void read_ahead() override { ++num_read_aheads; }
  boost::asio::awaitable<void> shut_down(std::chrono::milliseconds drain) override;

 private:
  struct Feed {
    explicit Feed(const boost::asio::any_io_executor& executor) : changed(executor) {}
    std::vector<Event> events;
    orchestration::turn::Wakeup changed;
  };
  class FakeSubscription;
  class FakeListSubscription;

  using Refusal = std::optional<orchestration::turn::CommandError>;
  boost::asio::awaitable<Refusal> note(std::string command);
  boost::asio::awaitable<Refusal> note(std::string command, std::string id);
  std::shared_ptr<Feed> feed(const std::string& conversation);

  boost::asio::any_io_executor executor_;
  std::string instance_ = "99999999-9999-4999-8999-999999999999";
  std::map<std::string, std::shared_ptr<Feed>> feeds_;  // shared with their subscriptions
  std::vector<orchestration::turn::ConversationSummary> list_changes_;
  orchestration::turn::Wakeup list_changed_;
};

}  // namespace parley::tests::fakes
