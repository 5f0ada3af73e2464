#include "orchestration/prompt/turns.h"

#include <cassert>
#include <string_view>

namespace parley::orchestration::prompt {
namespace {

constexpr std::string_view kBetweenJoined = "\n\n";

}  // namespace

Turns::Turns(const std::vector<ChatMessage>& messages) : messages_(messages) {
  std::size_t num_systems = 0;
  for (std::size_t i = 0; i < messages.size(); ++i) {
    const Role role = messages[i].role;
    if (role == Role::system) ++num_systems;
    if (role == Role::user || (role != Role::system && turns_.empty())) add(i, num_systems);
  }
}

// Whether the message is a question that follows another one.
bool Turns::is_joined(std::size_t index) const {
  return index > 0 && messages_[index].role == Role::user && messages_[index - 1].role == Role::user;
}

void Turns::add(std::size_t start, std::size_t systems_before) {
  Turn turn{start, systems_before, 0, 0};
  if (!turns_.empty()) turn.num_joined = turns_.back().num_joined;
  if (is_joined(start)) {
    ++turn.num_joined;
    turn.offset = turns_.back().offset + messages_[start - 1].text.size() + kBetweenJoined.size();
  }
  turns_.push_back(turn);
}

std::size_t Turns::end_of(std::size_t turn) const {
  return turn + 1 < count() ? turns_[turn + 1].start : messages_.size();
}

std::vector<ChatMessage> Turns::without_oldest(std::size_t num_left_out) const {
  const std::size_t first = num_left_out < count() ? turns_[num_left_out].start : messages_.size();
  std::vector<ChatMessage> kept;
  kept.reserve(messages_.size());
  for (std::size_t i = 0; i < messages_.size(); ++i) {
    if (i < first && num_left_out > 0 && messages_[i].role != Role::system) continue;
    if (is_joined(i) && i != first) {
      kept.back().text.append(kBetweenJoined).append(messages_[i].text);
    } else {
      kept.push_back(messages_[i]);
    }
  }
  return kept;
}

Turns::Place Turns::place_of(std::size_t turn, std::size_t num_left_out) const {
  assert(turn >= num_left_out && turn < count());
  const Turn& asked = turns_[turn];
  const Turn& first = turns_[num_left_out];
  const std::size_t num_joined = asked.num_joined - first.num_joined;
  const bool joined_to_first = num_joined == turn - num_left_out;
  const std::size_t before = num_left_out == 0 ? first.start : first.systems_before;
  return {before + asked.start - first.start - num_joined,
          asked.offset - (joined_to_first ? first.offset : 0)};
}

std::size_t Turns::num_bytes(std::size_t turn) const {
  std::size_t bytes = 0;
  for (std::size_t i = turns_[turn].start; i < end_of(turn); ++i) bytes += messages_[i].text.size();
  return bytes;
}

}  // namespace parley::orchestration::prompt
