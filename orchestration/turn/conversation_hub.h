#pragma once
// Conversations that are alive: runs their turns, tells subscribers what happens. A turn belongs to its
// conversation, never to a socket: subscribers come and go, the turn runs on.
//
// Lives on the I/O thread; nothing here blocks, the store is reached through its own thread. What the user
// did wrong is a CommandError value; a broken store throws sessions::StoreError out of the command's co_await
// and leaves the hub usable.
//
// Commands carry a client UUID (`command`, or the id within) and are applied once, also across restarts: a
// repeated one gets the same answer, the same id with another content is a `conflict`. Those that failed are
// not remembered; sessions::CommandMemory says for how long the others are.

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/thread_pool.hpp>

#include "orchestration/sessions/conversation.h"
#include "orchestration/sessions/session_store.h"
#include "orchestration/tools/audit_page.h"
#include "orchestration/turn/chat_model.h"
#include "orchestration/turn/conversation_events.h"
#include "orchestration/turn/hub_commands.h"
#include "orchestration/turn/tool_catalogue.h"

namespace parley::orchestration::turn {

class ToolDesk;

struct HubOptions {
  HubLimits limits;
  GenerationOptions defaults;
  std::chrono::milliseconds persist_interval{500};  // how often a growing answer is saved
  std::size_t snapshot_messages = 100;
  std::size_t event_history = 256;                 // events kept for clients that come back
  std::function<void(const std::string&)> log;     // lines about failures that no command or answer can tell
  ToolDesk* tools = nullptr;                       // outlives the hub; null: nothing can be called
  std::chrono::milliseconds tool_patience{10000};  // with servers that are still starting
};

class ConversationHub {
 public:
  virtual ~ConversationHub() = default;

  // Identifies this run of the server; event numbers are only comparable within it.
  virtual const std::string& instance() const = 0;

  virtual boost::asio::awaitable<sessions::ConversationPage> list(
      std::optional<std::pair<sessions::UnixMillis, std::string>> before, std::size_t limit) = 0;
  virtual bool answering(const std::string& conversation) const = 0;

  virtual boost::asio::awaitable<CommandResult<ConversationSummary>> create(std::string command,
                                                                            std::string conversation,
                                                                            std::string title) = 0;
  virtual boost::asio::awaitable<CommandResult<Done>> rename(std::string command, std::string conversation,
                                                             std::string title) = 0;
  virtual boost::asio::awaitable<CommandResult<Done>> set_deleted(std::string command,
                                                                  std::string conversation, bool deleted) = 0;
  virtual boost::asio::awaitable<CommandResult<Done>> change_settings(SettingsCommand command) = 0;

  // Durable before it returns; the answer is then generated in the background. Returns the answer's id.
  virtual boost::asio::awaitable<CommandResult<std::string>> send(SendCommand command) = 0;
  // A new answer beside `message` (an answer). Returns the new answer's id, which is the command's.
  virtual boost::asio::awaitable<CommandResult<std::string>> regenerate(std::string command,
                                                                        std::string conversation,
                                                                        std::string message) = 0;
  // Goes on with a stopped, interrupted or cut answer, or with what a failed one has, that is the active
  // leaf. Where it cannot begin, the answer stays as it was. A new answer (send, regenerate) that cannot
  // begin is there, and failed.
  virtual boost::asio::awaitable<CommandResult<Done>> continue_answer(std::string command,
                                                                      std::string conversation,
                                                                      std::string message) = 0;
  virtual boost::asio::awaitable<CommandResult<Done>> stop(std::string command, std::string conversation) = 0;

  // `conflict` when the call does not wait for approval any more. A turn that the end of the server cut goes
  // on.
  virtual boost::asio::awaitable<CommandResult<Done>> decide(DecideCommand command) = 0;
  // Done as well when the call has ended already.
  virtual boost::asio::awaitable<CommandResult<Done>> cancel_call(CancelCallCommand command) = 0;
  // What people have allowed until it is taken back, and taking it back. Done as well when nothing was
  // allowed; `unavailable` when it could not be written down: it holds until the server ends.
  virtual std::vector<ToolApproval> approvals() const = 0;
  virtual boost::asio::awaitable<CommandResult<Done>> forget_approval(ForgetApprovalCommand command) = 0;
  // A piece of all the text that the call's tool gave.
  virtual boost::asio::awaitable<CommandResult<sessions::OutputPiece>> read_output(OutputRequest request) = 0;
  // None: there is no such image.
  virtual boost::asio::awaitable<std::optional<calls::CallImage>> read_image(std::string call,
                                                                             std::size_t number) = 0;

  // The log of calls. None where nothing can be called; `unavailable` when it cannot be read.
  virtual boost::asio::awaitable<CommandResult<tools::AuditPage>> read_audit(AuditRequest request) = 0;

  virtual boost::asio::awaitable<CommandResult<std::unique_ptr<Subscription>>> subscribe(
      std::string conversation, std::optional<ClientPosition> have) = 0;
  virtual boost::asio::awaitable<CommandResult<sessions::MessagePage>> older(std::string conversation,
                                                                             std::string before_message,
                                                                             std::size_t limit) = 0;
  virtual std::unique_ptr<ListSubscription> subscribe_list() = 0;

  // Has the model read ahead in the chats that somebody has open (ChatModel::read_ahead). For when the model
  // has come or the tools have changed; where a chat is opened or changes, it is done anyway.
  virtual void read_ahead() = 0;

  // No new turns; running ones get `drain` to end, then are stopped and saved, at once those that only wait:
  // for people, whose calls then wait in the store, or for servers of tools. Ends all subscriptions. May be
  // called again while it runs: the longest time that was given counts for all calls, and each returns at the
  // end.
  virtual boost::asio::awaitable<void> shut_down(std::chrono::milliseconds drain) = 0;
};

// `store_thread` is a pool of one thread, the only one that touches `store`. All arguments outlive the hub.
std::unique_ptr<ConversationHub> make_conversation_hub(sessions::SessionStore& store,
                                                       boost::asio::thread_pool& store_thread,
                                                       ChatModel& model,
                                                       boost::asio::any_io_executor executor,
                                                       HubOptions options);

}  // namespace parley::orchestration::turn
