#pragma once
// What a browser keeps of a conversation: applies events strictly by the protocol and fails the test on a
// gap, a double, or text that does not fit.

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <variant>
#include <vector>

#include "orchestration/turn/conversation_hub.h"

namespace parley::orchestration::turn {

class ClientView {
 public:
  std::vector<MessageView> messages;
  ConversationSummary summary;
  bool more = false;
  int num_snapshots = 0;
  int num_deltas = 0;
  tools::ToolProgress progress;  // of the call that changed last
  std::string preparing;         // the message in which a call may be coming; empty: none
  int num_preparing = 0;

  void apply(const std::vector<ConversationEvent>& events) {
    for (const ConversationEvent& event : events) {
      std::visit([this](const auto& e) { apply(e); }, event);
    }
  }

  // What it would send with `open` after a cut.
  ClientPosition position(const std::string& instance) const {
    ClientPosition position;
    position.instance = instance;
    position.sequence = sequence_;
    if (!messages.empty() && messages.back().status == sessions::MessageStatus::streaming) {
      position.message = messages.back().id;
      position.epoch = messages.back().epoch;
      position.offset = messages.back().text.size();
    }
    return position;
  }

  const MessageView& last() const { return messages.back(); }
  std::uint64_t sequence() const { return sequence_; }

 private:
  void apply(const Snapshot& snapshot) {
    ++num_snapshots;
    sequence_ = snapshot.sequence;
    preparing.clear();
    summary = snapshot.summary;
    messages = snapshot.messages;
    more = snapshot.more;
  }

  void apply(const MessageAdded& added) {
    follow(added.sequence);
    while (!messages.empty() && messages.back().id != added.message.parent) messages.pop_back();
    EXPECT_EQ(messages.empty() ? "" : messages.back().id, added.message.parent);
    messages.push_back(added.message);
  }

  void apply(const MessageChanged& changed) {
    follow(changed.sequence);
    MessageView* message = find(changed.message.id);
    ASSERT_NE(message, nullptr);
    EXPECT_EQ(message->text.size(), changed.text_bytes);
    end_preparing(changed.message.id);
    std::string text = std::move(message->text);
    *message = changed.message;
    message->text = std::move(text);
  }

  void apply(const CallChanged& changed) {
    follow(changed.sequence);
    MessageView* message = find(changed.message);
    ASSERT_NE(message, nullptr);
    const auto index = static_cast<std::size_t>(changed.index);
    ASSERT_LE(index, message->calls.size());
    if (index == message->calls.size()) message->calls.emplace_back();
    end_preparing(changed.message);
    message->calls[index] = changed.call.call;
    progress = changed.call.progress;
  }

  void apply(const ArgumentsDelta& delta) {
    MessageView* message = find(delta.message);
    ASSERT_NE(message, nullptr);
    EXPECT_EQ(message->epoch, delta.epoch);
    const auto index = static_cast<std::size_t>(delta.index);
    ASSERT_LT(index, message->calls.size());  // the call began before
    EXPECT_EQ(message->calls[index].state, sessions::CallState::writing);
    std::string& arguments = message->calls[index].arguments;
    ASSERT_LE(delta.offset, arguments.size());
    EXPECT_FALSE(delta.text.empty());
    arguments.replace(delta.offset, std::string::npos, delta.text);
  }

  void apply(const ConversationChanged& changed) {
    follow(changed.sequence);
    summary = changed.summary;
  }

  void apply(const TextDelta& delta) {
    ++num_deltas;
    MessageView* message = find(delta.message);
    ASSERT_NE(message, nullptr);
    EXPECT_EQ(message->epoch, delta.epoch);
    EXPECT_EQ(message->text.size(), delta.offset);
    EXPECT_FALSE(delta.text.empty());
    end_preparing(delta.message);
    message->text += delta.text;
  }

  void apply(const CallPreparing& event) {
    ++num_preparing;
    MessageView* message = find(event.message);
    ASSERT_NE(message, nullptr);
    EXPECT_EQ(message->epoch, event.epoch);
    EXPECT_EQ(message->status, sessions::MessageStatus::streaming);
    preparing = event.message;
  }

  void end_preparing(const std::string& message) {
    if (preparing == message) preparing.clear();
  }

  void follow(std::uint64_t sequence) {
    EXPECT_EQ(sequence, sequence_ + 1);
    sequence_ = sequence;
  }

  MessageView* find(const std::string& id) {
    const auto found =
        std::find_if(messages.begin(), messages.end(), [&](const MessageView& m) { return m.id == id; });
    return found == messages.end() ? nullptr : &*found;
  }

  std::uint64_t sequence_ = 0;
};

}  // namespace parley::orchestration::turn
