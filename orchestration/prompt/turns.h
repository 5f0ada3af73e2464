#pragma once
// A conversation as turns: a user message with all answers, calls and results up to the next one. Refers to
// the messages it was made from; immutable, any thread, never fails.

#include <cstddef>
#include <vector>

#include "orchestration/prompt/chat_message.h"

namespace parley::orchestration::prompt {

class Turns {
 public:
  // `messages` must outlive the object.
  explicit Turns(const std::vector<ChatMessage>& messages);

  std::size_t count() const { return turns_.size(); }

  // The messages without the `num_left_out` oldest turns. System messages stay, wherever they stand. User
  // messages that follow one another become one, because chat templates insist on answers between them.
  std::vector<ChatMessage> without_oldest(std::size_t num_left_out) const;

  struct Place {
    std::size_t message = 0;  // index
    std::size_t offset = 0;   // bytes into its text
  };
  // Where turn `turn` begins in without_oldest(num_left_out); requires turn >= num_left_out.
  Place place_of(std::size_t turn, std::size_t num_left_out) const;

  // Bytes of text in turn `turn`.
  std::size_t num_bytes(std::size_t turn) const;

 private:
  struct Turn {
    std::size_t start = 0;           // index of its first message
    std::size_t systems_before = 0;  // system messages before it
    std::size_t num_joined = 0;      // turns up to this one that are joined to the one before them
    std::size_t offset = 0;          // bytes of the turns that this one is joined to
  };
  bool is_joined(std::size_t index) const;
  void add(std::size_t start, std::size_t systems_before);
  std::size_t end_of(std::size_t turn) const;

  const std::vector<ChatMessage>& messages_;
  std::vector<Turn> turns_;  // answers before the first user message are a turn too
};

}  // namespace parley::orchestration::prompt
