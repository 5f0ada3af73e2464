#include "orchestration/turn/rejection.h"

#include <string>

namespace parley::orchestration::turn {

ChatRejection prompt_too_long(std::int64_t limit, std::int64_t actual) {
  ChatRejection result;
  result.kind = ChatRejection::Kind::prompt_too_long;
  result.message = "The prompt has " + std::to_string(actual) + " tokens, but the model takes at most " +
                   std::to_string(limit) + ". Shorten it, or start Parley with a larger --context.";
  result.limit = limit;
  result.actual = actual;
  return result;
}

ChatRejection model_failed(const std::string& why) {
  ChatRejection result;
  result.kind = ChatRejection::Kind::model_failed;
  result.message = why;
  return result;
}

ChatRejection rejection_of(const inference::engine::Rejection& rejection) {
  using Reason = inference::engine::Rejection::Kind;
  using Kind = ChatRejection::Kind;
  if (rejection.kind == Reason::prompt_too_long) return prompt_too_long(rejection.limit, rejection.actual);
  ChatRejection result;
  result.limit = rejection.limit;
  result.actual = rejection.actual;
  switch (rejection.kind) {
    case Reason::prompt_too_long:
    case Reason::empty_prompt:
      result.kind = Kind::invalid_prompt;
      result.message = "The prompt is empty. It needs at least one token.";
      break;
    case Reason::token_out_of_range:
      result.kind = Kind::invalid_prompt;
      result.message = "The prompt holds the token id " + std::to_string(rejection.actual) +
                       ", but the model's ids end below " + std::to_string(rejection.limit) + ".";
      break;
    case Reason::queue_full:
      result.kind = Kind::queue_full;
      result.message = "The server is busy: " + std::to_string(rejection.limit) +
                       " requests are waiting already. Try again in a moment.";
      break;
    case Reason::shutting_down:
      if (!rejection.failure.empty()) return model_failed(rejection.failure);
      result.kind = Kind::shutting_down;
      result.message = "The server is shutting down. Try again when it is back.";
      break;
  }
  return result;
}

}  // namespace parley::orchestration::turn
