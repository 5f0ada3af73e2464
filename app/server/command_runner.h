#pragma once
// Commands that need nothing but the hub, the model and the tools: typed command in, answer frame out. I/O
// thread. A broken store throws out of the co_await.

#include <string>

#include <boost/asio/awaitable.hpp>

#include "app/protocol/frames.h"
#include "orchestration/turn/conversation_hub.h"
#include "orchestration/turn/model_slot.h"
#include "orchestration/turn/tool_catalogue.h"

namespace parley::app::server {

protocol::AckFrame ack_frame(const std::string& re, std::string message = {});
protocol::ErrorFrame error_frame(const std::string& re, const orchestration::turn::CommandError& error);

class CommandRunner {
 public:
  // Without `tools` (nullptr) there are none.
  CommandRunner(orchestration::turn::ConversationHub& hub, orchestration::turn::ModelSlot& model,
                const orchestration::turn::ToolCatalogue* tools)
      : hub_(hub), model_(model), tools_(tools) {}

  // Every command but `open` and `close`, which are the socket's own: those are a std::logic_error.
  boost::asio::awaitable<protocol::ServerFrame> run(protocol::ClientFrame frame);

 private:
  using Answer = boost::asio::awaitable<protocol::ServerFrame>;
  Answer run_one(protocol::ListCommand command);
  Answer run_one(protocol::CreateCommand command);
  Answer run_one(protocol::RenameCommand command);
  Answer run_one(protocol::DeleteCommand command);
  Answer run_one(protocol::UndeleteCommand command);
  Answer run_one(protocol::OlderCommand command);
  Answer run_one(protocol::SendCommand command);
  Answer run_one(protocol::StopCommand command);
  Answer run_one(protocol::RegenerateCommand command);
  Answer run_one(protocol::ContinueCommand command);
  Answer run_one(protocol::SettingsCommand command);
  Answer run_one(protocol::ModelsCommand command);
  Answer run_one(protocol::ToolsCommand command);
  Answer run_one(protocol::DecideCommand command);
  Answer run_one(protocol::CancelCallCommand command);
  Answer run_one(protocol::ForgetApprovalCommand command);
  Answer run_one(protocol::OutputCommand command);
  Answer run_one(protocol::AuditCommand command);

  orchestration::turn::ConversationHub& hub_;
  orchestration::turn::ModelSlot& model_;
  const orchestration::turn::ToolCatalogue* tools_;
};

}  // namespace parley::app::server
