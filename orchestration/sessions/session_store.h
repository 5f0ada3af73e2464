#pragma once
// Conversations on disk. Every method blocks and is called on the store thread only; values in, values out.
// A method that returns has made its change durable; one that throws has changed nothing. Throws StoreError
// when the disk or the database fails, and for a message whose conversation or parent does not exist.
//
// A change may carry the client's command that asked for it, which is remembered in the same transaction. A
// change that returns false has changed nothing, and its command is not remembered; it does so, beside the
// reasons named below, when a command of that id was applied before.
//
// Calls are stored with their message. What is big in them stays behind when a message is read: its calls
// have no `output` but say in `output_bytes` how long it is, and their images have no bytes. Writing such a
// value loses nothing: an empty `output`, and an image without bytes, leave what is stored of the call with
// that id. Bytes go when their call goes (a message is written without it), or when `images` is shorter than
// before. `output_bytes` is not stored, it is the length of what is. A call's id is taken once in all
// conversations: StoreError when another message has it.

#include <cstddef>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "orchestration/sessions/applied_command.h"
#include "orchestration/sessions/conversation.h"
#include "orchestration/sessions/output_piece.h"
#include "storage/sqlite/store_error.h"

namespace parley::orchestration::sessions {

using storage::sqlite::StoreError;

struct ConversationPage {
  std::vector<Conversation> items;  // newest update first, deleted ones left out
  bool more = false;
};

struct MessagePage {
  std::vector<Message> items;  // oldest first, a path of the tree
  bool more = false;           // older ones exist
};

class SessionStore {
 public:
  using MaybeCommand = std::optional<AppliedCommand>;

  virtual ~SessionStore() = default;

  // False when a conversation of that id exists already.
  virtual bool create(const Conversation& conversation, const MaybeCommand& command = std::nullopt) = 0;
  virtual std::optional<Conversation> find(const std::string& id) = 0;
  // `before`: (updated_at, id) of the last item of the page before; absent: the newest.
  virtual ConversationPage list(std::optional<std::pair<UnixMillis, std::string>> before,
                                std::size_t limit) = 0;
  // Replaces title, settings, active leaf, deleted and updated_at. False: unknown id.
  virtual bool update(const Conversation& conversation, const MaybeCommand& command = std::nullopt) = 0;

  // Adds a message, makes it the active leaf and touches the conversation, in one transaction.
  // False when a message of that id exists already.
  // The clocks of a conversation never go back: updated_at becomes the later of its own and created_at.
  virtual bool add_message(const std::string& conversation, const Message& message,
                           const MaybeCommand& command = std::nullopt) = 0;
  // All or nothing: a question, the answer under it, which becomes the active leaf, and the conversation's
  // title. False when a message of one of the ids exists already.
  virtual bool add_turn(const std::string& conversation, const std::string& title, const Message& question,
                        const Message& answer, const MaybeCommand& command = std::nullopt) = 0;
  virtual std::optional<Message> find_message(const std::string& conversation, const std::string& id) = 0;
  // Replaces everything but id, parent, role and created_at; the calls as said above.
  virtual bool update_message(const std::string& conversation, const Message& message,
                              const MaybeCommand& command = std::nullopt) = 0;
  // Appends to text and token ids of an answer that is being generated. Costs what is appended, not the
  // whole.
  virtual void append(const std::string& conversation, const std::string& message, const std::string& text,
                      const std::vector<std::int32_t>& token_ids) = 0;
  // Writes one call of a message, in the place of the one with its id or behind the others, and nothing else
  // of the message: costs the call, however long the answer is. StoreError for an unknown message.
  virtual bool save_call(const std::string& conversation, const std::string& message, const ToolCall& call,
                         const MaybeCommand& command = std::nullopt) = 0;
  // A piece of all the text that a tool gave: the stored output, or the result where that is all of it.
  // At most `max_bytes`, or kMinPieceBytes where that is more; beyond the end an empty text.
  // None: the conversation has no such call.
  virtual std::optional<OutputPiece> read_output(const std::string& conversation, const std::string& call,
                                                 std::size_t offset, std::size_t max_bytes) = 0;
  // Image `number` of a call of any conversation, from 0. None: there is none.
  virtual std::optional<calls::CallImage> read_image(const std::string& call, std::size_t number) = 0;
  // The path from a root to `leaf`, its last `limit` messages.
  virtual MessagePage path(const std::string& conversation, const std::string& leaf, std::size_t limit) = 0;

  // Remembers a command that found nothing to change in the store.
  virtual bool remember(const AppliedCommand& command) = 0;
  // None: it was never applied, or too long ago (see CommandMemory).
  virtual std::optional<AppliedCommand> find_command(const std::string& id) = 0;

  // Answers that were being generated when the process died become `interrupted`, in a new epoch: clients may
  // have seen more of their text than was saved. Calls that ran become `interrupted`, not yet begun ones
  // `cancelled`; those that wait go on waiting. Returns how many answers. Opening a store on disk does it.
  virtual std::size_t mark_interrupted() = 0;
};

}  // namespace parley::orchestration::sessions
