#pragma once
// The frames of docs/protocol.md as types, in the same order as there and in web/src/protocol.ts. Plain data,
// for one thread at a time. What a conversation and its events consist of is the hub's: frames carry those
// values as they are.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "orchestration/sessions/conversation.h"
#include "orchestration/sessions/session_store.h"
#include "orchestration/turn/conversation_hub.h"
#include "orchestration/turn/model_slot.h"
#include "orchestration/turn/tool_catalogue.h"

namespace parley::app::protocol {

inline constexpr int kProtocolVersion = 1;
inline constexpr std::size_t kMaxPageItems = 200;

struct ModelView {
  orchestration::turn::ModelInfo info;
  orchestration::turn::ModelSlot::State state = orchestration::turn::ModelSlot::State::loading;
  double progress = 0;
  std::string error;  // with failed: a sentence
};

// The largest frame that a client may need: the longest text within its limit, written in JSON with the
// longest escape ("\u0007" for one byte), and the fields around it. Every limit of frames follows from this.
constexpr std::size_t max_frame_bytes(const orchestration::turn::HubLimits& limits) {
  constexpr std::size_t kMaxEscapeBytes = 6;
  constexpr std::size_t kOtherFields = 4096;
  return kMaxEscapeBytes *
             (limits.max_message_bytes + limits.max_title_bytes + limits.max_system_prompt_bytes) +
         kOtherFields;
}

// Server's first frame.
struct HelloFrame {
  std::string server;                            // "parley 0.1.0"
  std::string instance;                          // of this run
  orchestration::sessions::UnixMillis time = 0;  // of the server's clock, when it is sent
  orchestration::turn::HubLimits limits;
  float temperature = 0;          // default of a conversation that does not say otherwise
  std::optional<int> max_tokens;  // absent: up to the context's end
  ModelView model;
};

// Commands. `id` is the command's.
struct ListCommand {
  std::string id;
  std::optional<std::pair<orchestration::sessions::UnixMillis, std::string>> before;
  std::size_t limit = 0;
};
struct CreateCommand {
  std::string id;
  std::string conversation;
  std::string title;
};
struct RenameCommand {
  std::string id;
  std::string conversation;
  std::string title;
};
struct DeleteCommand {
  std::string id;
  std::string conversation;
};
struct UndeleteCommand {
  std::string id;
  std::string conversation;
};
struct OpenCommand {
  std::string id;
  std::string conversation;
  std::optional<orchestration::turn::ClientPosition> have;
};
struct CloseCommand {
  std::string id;
  std::string conversation;
};
struct OlderCommand {
  std::string id;
  std::string conversation;
  std::string before;
  std::size_t limit = 0;
};
struct SendCommand {
  std::string id;
  std::string conversation;
  std::string text;
  std::optional<std::string> parent;  // absent: the newest message shown; empty: a new first message
};
struct StopCommand {
  std::string id;
  std::string conversation;
};
struct RegenerateCommand {
  std::string id;
  std::string conversation;
  std::string message;
};
struct ContinueCommand {
  std::string id;
  std::string conversation;
  std::string message;
};
struct SettingsCommand {
  std::string id;
  orchestration::turn::SettingsCommand change;
};
struct ModelsCommand {
  std::string id;
};
struct ToolsCommand {
  std::string id;
};
struct DecideCommand {
  std::string id;
  orchestration::turn::DecideCommand decision;
};
struct CancelCallCommand {
  std::string id;
  orchestration::turn::CancelCallCommand call;
};
struct ForgetApprovalCommand {
  std::string id;
  std::string tool;
};
struct OutputCommand {
  std::string id;
  orchestration::turn::OutputRequest request;
};

struct AuditCommand {
  std::string id;
  orchestration::turn::AuditRequest request;
};

using ClientFrame =
    std::variant<ListCommand, CreateCommand, RenameCommand, DeleteCommand, UndeleteCommand, OpenCommand,
                 CloseCommand, OlderCommand, SendCommand, StopCommand, RegenerateCommand, ContinueCommand,
                 SettingsCommand, ModelsCommand, ToolsCommand, DecideCommand, CancelCallCommand,
                 ForgetApprovalCommand, OutputCommand, AuditCommand>;

// Answers. `re` is the command's id.
struct AckFrame {
  std::string re;
  std::string message;  // empty: none
};

enum class ErrorCode : std::uint8_t {
  bad_frame,
  unknown_type,
  invalid,
  not_found,
  busy,
  too_long,
  conflict,
  unavailable,
  rate_limited,
  internal,
};

struct ErrorFrame {
  std::string re;  // empty: the frame had no usable id
  ErrorCode code = ErrorCode::internal;
  std::string message;  // what happened and what to do
};
struct ConversationsFrame {
  std::string re;
  std::vector<orchestration::turn::ConversationSummary> items;
  bool more = false;
};
struct MessagesFrame {
  std::string re;
  std::string conversation;
  std::vector<orchestration::sessions::Message> items;
  bool more = false;
};
struct ModelsFrame {
  std::string re;
  std::vector<ModelView> items;
};
struct ToolsFrame {
  std::string re;
  orchestration::turn::ToolSnapshot tools;
  orchestration::turn::ToolProfile profile = orchestration::turn::ToolProfile::weak;  // of the model
  std::vector<orchestration::turn::ToolApproval> approvals;
};
struct OutputFrame {
  std::string re;
  orchestration::sessions::OutputPiece piece;
};
struct AuditFrame {
  std::string re;
  orchestration::tools::AuditPage page;
};

// Events. Those of an opened conversation: snapshot, message_added, message_changed, call_changed, changed,
// arguments, delta, preparing.
struct ConversationEventFrame {
  std::string conversation;
  orchestration::turn::ConversationEvent event;
};
struct ListedFrame {
  orchestration::turn::ConversationSummary item;
};
struct ModelFrame {
  ModelView model;
};
struct ToolsChangedFrame {};

using ServerFrame =
    std::variant<HelloFrame, AckFrame, ErrorFrame, ConversationsFrame, MessagesFrame, ModelsFrame, ToolsFrame,
                 OutputFrame, AuditFrame, ConversationEventFrame, ListedFrame, ModelFrame, ToolsChangedFrame>;

}  // namespace parley::app::protocol
