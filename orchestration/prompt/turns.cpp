#include "orchestration/prompt/turns.h"

#include <cassert>

namespace parley::orchestration::prompt {

Turns::Turns(const std::vector<ChatMessage>& messages) : messages_(messages) {
  std::size_t num_systems = 0;
  for (std::size_t i = 0; i < messages.size(); ++i) {
    const Role role = messages[i].role;
    if (role == Role::system) ++num_systems;
    const bool begins = role == Role::user || (role == Role::assistant && starts_.empty());
    if (!begins) continue;
    starts_.push_back(i);
    systems_before_.push_back(num_systems);
  }
}

std::size_t Turns::end_of(std::size_t turn) const {
  return turn + 1 < starts_.size() ? starts_[turn + 1] : messages_.size();
}

std::vector<ChatMessage> Turns::without_oldest(std::size_t num_left_out) const {
  const std::size_t first = num_left_out < count() ? starts_[num_left_out] : messages_.size();
  std::vector<ChatMessage> kept;
  kept.reserve(messages_.size());
  for (std::size_t i = 0; i < messages_.size(); ++i) {
    if (i >= first || num_left_out == 0 || messages_[i].role == Role::system) kept.push_back(messages_[i]);
  }
  return kept;
}

std::size_t Turns::index_of(std::size_t turn, std::size_t num_left_out) const {
  assert(turn >= num_left_out && turn < count());
  if (num_left_out == 0) return starts_[turn];
  return systems_before_[num_left_out] + starts_[turn] - starts_[num_left_out];
}

std::size_t Turns::num_bytes(std::size_t turn) const {
  std::size_t bytes = 0;
  for (std::size_t i = starts_[turn]; i < end_of(turn); ++i) bytes += messages_[i].text.size();
  return bytes;
}

}  // namespace parley::orchestration::prompt
