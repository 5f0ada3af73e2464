#pragma once
// A conversation as turns: a user message with the answers to it. Refers to the messages it was made from;
// immutable, any thread, never fails.

#include <cstddef>
#include <vector>

#include "orchestration/prompt/chat_message.h"

namespace parley::orchestration::prompt {

class Turns {
 public:
  // `messages` must outlive the object.
  explicit Turns(const std::vector<ChatMessage>& messages);

  std::size_t count() const { return starts_.size(); }

  // The messages without the `num_left_out` oldest turns. System messages stay, wherever they stand.
  std::vector<ChatMessage> without_oldest(std::size_t num_left_out) const;

  // Where the first message of turn `turn` stands in without_oldest(num_left_out); requires turn >=
  // num_left_out.
  std::size_t index_of(std::size_t turn, std::size_t num_left_out) const;

  // Bytes of text in turn `turn`.
  std::size_t num_bytes(std::size_t turn) const;

 private:
  std::size_t end_of(std::size_t turn) const;

  const std::vector<ChatMessage>& messages_;
  std::vector<std::size_t> starts_;  // of each turn; answers before the first user message are a turn too
  std::vector<std::size_t> systems_before_;  // system messages before each turn
};

}  // namespace parley::orchestration::prompt
