#include "orchestration/turn/result_shortener.h"

#include <utility>

#include "orchestration/turn/result_limit.h"

namespace parley::orchestration::turn {
namespace {

using prompt::ChatMessage;
using prompt::Role;

// Of the newest turn: the last question, or the beginning where there is none.
std::size_t begin_of_newest_turn(const std::vector<ChatMessage>& messages) {
  std::size_t index = messages.size();
  while (index > 0 && messages[index - 1].role != Role::user) --index;
  return index;
}

}  // namespace

ResultShortener::ResultShortener(std::vector<ChatMessage>& messages, TokenCounter count, Reader reader)
    : messages_(messages), count_(std::move(count)), reader_(reader), next_(begin_of_newest_turn(messages)) {}

bool ResultShortener::save(std::size_t num_tokens) {
  std::size_t saved = 0;
  for (; next_ < messages_.size() && saved < num_tokens; ++next_) {
    ChatMessage& message = messages_[next_];
    if (message.role == Role::tool) saved += shorten(message.text, message.call_id);
  }
  return saved > 0;
}

// Tokens that it is shorter by.
std::size_t ResultShortener::shorten(std::string& result, const std::string& call) const {
  ResultLimit limit;
  limit.tokens = kLeastResultTokens;
  limit.count = count_;
  const std::string where_rest = where_rest_of(call);
  if (reader_ == Reader::offered || result.ends_with(where_rest)) limit.where_rest = where_rest;
  std::string part = shortened_result(result, limit);
  const std::size_t before = count_(result);
  const std::size_t after = count_(part);
  if (after >= before) return 0;  // the line between head and tail would take more than it saves
  result = std::move(part);
  return before - after;
}

}  // namespace parley::orchestration::turn
