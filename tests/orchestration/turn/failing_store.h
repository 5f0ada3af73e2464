#pragma once
// Conversations in memory, in a store that fails when a test says so.

#include <atomic>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "orchestration/sessions/session_store.h"
#include "tests/fakes/memory_store.h"

namespace parley::orchestration::turn {

// Fails while told to. The flags are set by the test's thread and read by the store's.
class FailingStore : public sessions::SessionStore {
 public:
  std::atomic<bool> fail_reads = false;
  std::atomic<bool> fail_writes = false;
  std::atomic<bool> fail_appends = false;
  std::atomic<int> num_appends = 0;  // tried

  bool create(const sessions::Conversation& conversation, const MaybeCommand& command) override {
    return writable().create(conversation, command);
  }
  std::optional<sessions::Conversation> find(const std::string& id) override { return readable().find(id); }
  sessions::ConversationPage list(std::optional<std::pair<sessions::UnixMillis, std::string>> before,
                                  std::size_t limit) override {
    return readable().list(std::move(before), limit);
  }
  bool update(const sessions::Conversation& conversation, const MaybeCommand& command) override {
    return writable().update(conversation, command);
  }
  bool add_message(const std::string& conversation, const sessions::Message& message,
                   const MaybeCommand& command) override {
    return writable().add_message(conversation, message, command);
  }
  bool add_turn(const std::string& conversation, const std::string& title, const sessions::Message& question,
                const sessions::Message& answer, const MaybeCommand& command) override {
    return writable().add_turn(conversation, title, question, answer, command);
  }
  std::optional<sessions::Message> find_message(const std::string& conversation,
                                                const std::string& id) override {
    return readable().find_message(conversation, id);
  }
  bool update_message(const std::string& conversation, const sessions::Message& message,
                      const MaybeCommand& command) override {
    return writable().update_message(conversation, message, command);
  }
  void append(const std::string& conversation, const std::string& message, const std::string& text,
              const std::vector<std::int32_t>& token_ids) override {
    ++num_appends;
    if (fail_appends) throw sessions::StoreError("The disk is full.");
    memory_->append(conversation, message, text, token_ids);
  }
  bool save_call(const std::string& conversation, const std::string& message, const sessions::ToolCall& call,
                 const MaybeCommand& command) override {
    return writable().save_call(conversation, message, call, command);
  }
  std::optional<sessions::OutputPiece> read_output(const std::string& conversation, const std::string& call,
                                                   std::size_t offset, std::size_t max_bytes) override {
    return readable().read_output(conversation, call, offset, max_bytes);
  }
  std::optional<calls::CallImage> read_image(const std::string& call, std::size_t number) override {
    return readable().read_image(call, number);
  }
  sessions::MessagePage path(const std::string& conversation, const std::string& leaf,
                             std::size_t limit) override {
    return readable().path(conversation, leaf, limit);
  }
  bool remember(const sessions::AppliedCommand& command) override { return writable().remember(command); }
  std::optional<sessions::AppliedCommand> find_command(const std::string& id) override {
    return readable().find_command(id);
  }
  std::size_t mark_interrupted() override { return memory_->mark_interrupted(); }

 private:
  sessions::SessionStore& readable() {
    if (fail_reads) throw sessions::StoreError("The disk is gone.");
    return *memory_;
  }
  sessions::SessionStore& writable() {
    if (fail_writes) throw sessions::StoreError("The disk is full.");
    return *memory_;
  }

  std::unique_ptr<sessions::SessionStore> memory_ = tests::fakes::make_memory_store();
};

}  // namespace parley::orchestration::turn
