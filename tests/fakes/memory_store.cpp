#include "tests/fakes/memory_store.h"

#include <algorithm>
#include <map>
#include <unordered_map>
#include <utility>

namespace parley::tests::fakes {
namespace {

namespace calls = orchestration::calls;
using orchestration::sessions::AppliedCommand;
using orchestration::sessions::CallState;
using orchestration::sessions::Conversation;
using orchestration::sessions::ConversationPage;
using orchestration::sessions::Message;
using orchestration::sessions::MessagePage;
using orchestration::sessions::MessageStatus;
using orchestration::sessions::OutputPiece;
using orchestration::sessions::SessionStore;
using orchestration::sessions::StoreError;
using orchestration::sessions::ToolCall;
using orchestration::sessions::UnixMillis;

// As pages carry it.
Message without_bulk(Message message) {
  for (ToolCall& call : message.calls) {
    call.output_bytes = call.output.size();
    call.output.clear();
    for (calls::CallImage& image : call.images) image.bytes.clear();
  }
  return message;
}

// What `call` was read without stays as it was in `old`.
ToolCall with_bulk_of(const ToolCall& old, ToolCall call) {
  if (call.output.empty()) call.output = old.output;
  for (std::size_t i = 0; i < std::min(call.images.size(), old.images.size()); ++i) {
    if (call.images[i].bytes.empty()) call.images[i].bytes = old.images[i].bytes;
  }
  return call;
}

class MemoryStore : public SessionStore {
 public:
  bool create(const Conversation& conversation, const MaybeCommand& command) override;

  std::optional<Conversation> find(const std::string& id) override {
    const auto found = conversations_.find(id);
    if (found == conversations_.end()) return std::nullopt;
    return found->second;
  }

  ConversationPage list(std::optional<std::pair<UnixMillis, std::string>> before, std::size_t limit) override;
  bool update(const Conversation& conversation, const MaybeCommand& command) override;
  bool add_message(const std::string& conversation, const Message& message,
                   const MaybeCommand& command) override;
  bool add_turn(const std::string& conversation, const std::string& title, const Message& question,
                const Message& answer, const MaybeCommand& command) override;
  std::optional<Message> find_message(const std::string& conversation, const std::string& id) override;
  bool update_message(const std::string& conversation, const Message& message,
                      const MaybeCommand& command) override;
  void append(const std::string& conversation, const std::string& message, const std::string& text,
              const std::vector<std::int32_t>& token_ids) override;
  bool save_call(const std::string& conversation, const std::string& message, const ToolCall& call,
                 const MaybeCommand& command) override;
  std::optional<OutputPiece> read_output(const std::string& conversation, const std::string& call,
                                         std::size_t offset, std::size_t max_bytes) override;
  std::optional<calls::CallImage> read_image(const std::string& call, std::size_t number) override;
  MessagePage path(const std::string& conversation, const std::string& leaf, std::size_t limit) override;
  bool remember(const AppliedCommand& command) override {
    return commands_.emplace(command.id, command).second;
  }
  std::optional<AppliedCommand> find_command(const std::string& id) override {
    const auto found = commands_.find(id);
    if (found == commands_.end()) return std::nullopt;
    return found->second;
  }
  std::size_t mark_interrupted() override;

 private:
  struct Stored {
    std::string conversation;
    Message message;
  };

  bool id_taken(const std::string& id) const { return by_id_.count(id) != 0; }
  bool was_applied(const MaybeCommand& command) const { return command && commands_.count(command->id) != 0; }
  void remember_if_any(const MaybeCommand& command) {
    if (command) remember(*command);
  }
  const Stored* look_up(const std::string& conversation, const std::string& id) const;
  Message& existing(const std::string& conversation, const std::string& id);
  const Stored* owner_of(const std::string& call) const;
  void check_owner(const std::string& message, const std::vector<ToolCall>& calls) const;
  void insert_as_leaf(const std::string& conversation, const Message& message);

  std::map<std::string, Conversation> conversations_;
  std::map<std::string, AppliedCommand> commands_;
  std::vector<Stored> messages_;  // in the order of their addition
  std::unordered_map<std::string, std::size_t> by_id_;
};

bool MemoryStore::create(const Conversation& conversation, const MaybeCommand& command) {
  if (was_applied(command) || !conversations_.emplace(conversation.id, conversation).second) return false;
  remember_if_any(command);
  return true;
}

ConversationPage MemoryStore::list(std::optional<std::pair<UnixMillis, std::string>> before,
                                   std::size_t limit) {
  const auto place = [](const Conversation& c) { return std::pair(c.updated_at, c.id); };
  ConversationPage page;
  for (const auto& [id, conversation] : conversations_) {
    if (!conversation.deleted && (!before || place(conversation) < *before))
      page.items.push_back(conversation);
  }
  std::sort(page.items.begin(), page.items.end(),
            [&](const Conversation& a, const Conversation& b) { return place(a) > place(b); });
  page.more = page.items.size() > limit;
  if (page.more) page.items.resize(limit);
  return page;
}

bool MemoryStore::update(const Conversation& conversation, const MaybeCommand& command) {
  const auto found = conversations_.find(conversation.id);
  if (found == conversations_.end() || was_applied(command)) return false;
  remember_if_any(command);
  const UnixMillis created_at = found->second.created_at;
  found->second = conversation;
  found->second.created_at = created_at;
  return true;
}

const MemoryStore::Stored* MemoryStore::look_up(const std::string& conversation,
                                                const std::string& id) const {
  const auto found = by_id_.find(id);
  if (found == by_id_.end() || messages_[found->second].conversation != conversation) return nullptr;
  return &messages_[found->second];
}

Message& MemoryStore::existing(const std::string& conversation, const std::string& id) {
  if (look_up(conversation, id) == nullptr) throw StoreError("Message " + id + " does not exist.");
  return messages_[by_id_.at(id)].message;
}

void MemoryStore::insert_as_leaf(const std::string& conversation, const Message& message) {
  check_owner(message.id, message.calls);
  auto& owner = conversations_.at(conversation);
  by_id_.emplace(message.id, messages_.size());
  messages_.push_back({conversation, message});
  owner.active_leaf = message.id;
  owner.updated_at = std::max(owner.updated_at, message.created_at);
}

bool MemoryStore::add_message(const std::string& conversation, const Message& message,
                              const MaybeCommand& command) {
  if (id_taken(message.id) || was_applied(command)) return false;
  if (conversations_.count(conversation) == 0)
    throw StoreError("Conversation " + conversation + " does not exist.");
  if (!message.parent.empty()) existing(conversation, message.parent);
  insert_as_leaf(conversation, message);
  remember_if_any(command);
  return true;
}

bool MemoryStore::add_turn(const std::string& conversation, const std::string& title, const Message& question,
                           const Message& answer, const MaybeCommand& command) {
  if (was_applied(command)) return false;
  if (id_taken(question.id) || id_taken(answer.id) || question.id == answer.id) return false;
  add_message(conversation, question, command);
  insert_as_leaf(conversation, answer);
  conversations_.at(conversation).title = title;
  return true;
}

std::optional<Message> MemoryStore::find_message(const std::string& conversation, const std::string& id) {
  const Stored* stored = look_up(conversation, id);
  if (stored == nullptr) return std::nullopt;
  return without_bulk(stored->message);
}

const MemoryStore::Stored* MemoryStore::owner_of(const std::string& call) const {
  for (const Stored& stored : messages_) {
    for (const ToolCall& other : stored.message.calls) {
      if (other.id == call) return &stored;
    }
  }
  return nullptr;
}

void MemoryStore::check_owner(const std::string& message, const std::vector<ToolCall>& calls) const {
  for (const ToolCall& call : calls) {
    const Stored* owner = owner_of(call.id);
    if (owner != nullptr && owner->message.id != message)
      throw StoreError("Call " + call.id + " is another message's.");
  }
}

bool MemoryStore::update_message(const std::string& conversation, const Message& message,
                                 const MaybeCommand& command) {
  Message& old = existing(conversation, message.id);
  if (was_applied(command)) return false;
  check_owner(message.id, message.calls);
  remember_if_any(command);
  Message changed = message;
  for (ToolCall& call : changed.calls) {
    for (const ToolCall& stored : old.calls) {
      if (stored.id == call.id) call = with_bulk_of(stored, std::move(call));
    }
  }
  changed.parent = old.parent;
  changed.role = old.role;
  changed.created_at = old.created_at;
  old = std::move(changed);
  return true;
}

void MemoryStore::append(const std::string& conversation, const std::string& message, const std::string& text,
                         const std::vector<std::int32_t>& token_ids) {
  Message& answer = existing(conversation, message);
  answer.text += text;
  answer.token_ids.insert(answer.token_ids.end(), token_ids.begin(), token_ids.end());
}

bool MemoryStore::save_call(const std::string& conversation, const std::string& message, const ToolCall& call,
                            const MaybeCommand& command) {
  if (was_applied(command)) return false;
  Message& owner = existing(conversation, message);
  check_owner(message, {call});
  remember_if_any(command);
  for (ToolCall& stored : owner.calls) {
    if (stored.id != call.id) continue;
    stored = with_bulk_of(stored, call);
    return true;
  }
  owner.calls.push_back(call);
  return true;
}

std::optional<OutputPiece> MemoryStore::read_output(const std::string& conversation, const std::string& call,
                                                    std::size_t offset, std::size_t max_bytes) {
  const Stored* owner = owner_of(call);
  if (owner == nullptr || owner->conversation != conversation) return std::nullopt;
  OutputPiece piece;
  piece.message = owner->message.id;
  piece.offset = offset;
  for (const ToolCall& stored : owner->message.calls) {
    if (stored.id != call) continue;
    const std::string& whole = stored.output.empty() ? stored.result : stored.output;
    piece.bytes = whole.size();
    if (offset < whole.size())
      piece.text = whole.substr(offset, std::max(max_bytes, orchestration::sessions::kMinPieceBytes));
  }
  keep_whole_characters(piece);
  return piece;
}

std::optional<calls::CallImage> MemoryStore::read_image(const std::string& call, std::size_t number) {
  const Stored* owner = owner_of(call);
  if (owner == nullptr) return std::nullopt;
  for (const ToolCall& stored : owner->message.calls) {
    const bool has_it = number < stored.images.size() && !stored.images[number].bytes.empty();
    if (stored.id == call && has_it) return stored.images[number];
  }
  return std::nullopt;
}

MessagePage MemoryStore::path(const std::string& conversation, const std::string& leaf, std::size_t limit) {
  MessagePage page;
  const Stored* next = look_up(conversation, leaf);
  for (; next != nullptr && page.items.size() < limit; next = look_up(conversation, next->message.parent)) {
    page.items.push_back(without_bulk(next->message));
  }
  page.more = next != nullptr;
  std::reverse(page.items.begin(), page.items.end());
  return page;
}

std::size_t MemoryStore::mark_interrupted() {
  std::size_t count = 0;
  for (Stored& stored : messages_) {
    for (ToolCall& call : stored.message.calls) {
      if (call.state == CallState::writing) call.state = CallState::cancelled;
      if (call.state == CallState::running) call.state = CallState::interrupted;
    }
    if (stored.message.status != MessageStatus::streaming) continue;
    stored.message.status = MessageStatus::interrupted;
    stored.message.epoch += 1;
    ++count;
  }
  return count;
}

}  // namespace

std::unique_ptr<SessionStore> make_memory_store() { return std::make_unique<MemoryStore>(); }

}  // namespace parley::tests::fakes
